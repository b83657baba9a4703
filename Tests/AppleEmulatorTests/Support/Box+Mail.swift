import AppleEmulator
import AppleIdentity
import Foundation

extension Box {
    static let sender = "news@juice.example.com"

    /// Maya hides her address; the one that the app learns.
    func relayAddress() async throws -> String {
        try await credentials(["email": "hide"])["email"]?.stringValue ?? ""
    }

    /// Sends a mail and returns the SMTP reply.
    @discardableResult
    func mail(
        to recipients: [String],
        from sender: String? = Box.sender,
        _ lines: [String] = ["From: Juice <news@juice.example.com>", "Subject: Hi", "", "Hello."]
    ) async -> String {
        let content = lines.map { $0 + "\r\n" }.joined()
        return await apple.receiveMail(Data(content.utf8), from: sender, to: recipients)
    }

    func mailList(_ name: String, of email: String? = nil) async throws -> [JSONObject] {
        let list = try await apple.mail(of: email)
        return (list[name]?.arrayValue ?? []).compactMap(\.objectValue)
    }

    /// The complete latest mail.
    func lastMail() async throws -> JSONObject {
        let id = try await mailList("messages").last?["id"]?.integerValue ?? 0
        return try await apple.mail(id: String(id))
    }

    func addSource(_ object: JSONObject) async throws {
        let source: JSONObject = ["team_id": .string(Self.team)]
        _ = try await apple.add(.mailSource, source.merging(object))
    }
}
