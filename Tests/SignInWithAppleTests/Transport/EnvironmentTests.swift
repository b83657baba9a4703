import AppleIdentity
import Crypto
import Foundation
import SignInWithApple
import Testing

@Suite("The environment of a server") struct EnvironmentTests {
    private let file = FileManager.default.temporaryDirectory
        .appending(path: "\(UUID().uuidString).p8")

    private func configuration(
        _ changes: [String: String?] = [:],
        key: String? = nil
    ) throws -> AppleSignIn.Configuration {
        let pem = key ?? TestSecretKey().privateKey.pemRepresentation
        try pem.write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        var environment = [
            "APPLE_URL": "https://appleid.apple.com", "APPLE_TEAM_ID": "JUICETEAM1",
            "APPLE_KEY_ID": "JUICEKEY01", "APPLE_KEY_FILE": file.path,
            "APPLE_CLIENT_IDS": "com.example.juice, com.example.other",
            "APPLE_SERVICES_IDS": "com.example.juice.web",
        ]
        for (name, value) in changes { environment[name] = value }
        return try AppleSignIn.Configuration(environment: environment)
    }

    @Test("has the URL, the clients and the key")
    func settings() throws {
        let settings = try configuration()
        #expect(settings.service.url == AppleService.apple.url)
        #expect(settings.appIDs == ["com.example.juice", "com.example.other"])
        #expect(settings.servicesIDs == ["com.example.juice.web"])
        #expect(settings.key?.keyID == "JUICEKEY01" && settings.key?.teamID == "JUICETEAM1")
        let keyless = ["APPLE_KEY_FILE", "APPLE_KEY_ID", "APPLE_TEAM_ID"].map {
            ($0, nil as String?)
        }
        #expect(try configuration(Dictionary(uniqueKeysWithValues: keyless)).key == nil)
    }

    @Test(
        "with a missing or wrong variable is refused with its name",
        arguments: [
            ("APPLE_URL", nil), ("APPLE_URL", ""), ("APPLE_URL", "appleid.apple.com"),
            ("APPLE_URL", "http://apple.example.com"), ("APPLE_KEY_FILE", "/nowhere/key.p8"),
            ("APPLE_KEY_FILE", nil), ("APPLE_SERVICES_IDS", "com.example.juice"),
        ] as [(String, String?)]
    )
    func refused(_ name: String, _ value: String?) throws {
        let error = #expect(throws: SignInError.self) { try configuration([name: value]) }
        #expect(error?.code == .configurationInvalid)
        #expect(error?.hint.contains(name) == true, "\(error?.hint ?? "")")
    }

    @Test("without a client, or with an unusable key, is refused")
    func unusable() throws {
        let none = #expect(throws: SignInError.self) {
            try configuration(["APPLE_CLIENT_IDS": nil, "APPLE_SERVICES_IDS": " "])
        }
        #expect(none?.code == .configurationInvalid)
        for key in ["no key", String(repeating: "x", count: 20_000)] {
            let error = #expect(throws: SignInError.self) { try configuration(key: key) }
            #expect(error?.code == .clientSecretKeyInvalid)
            #expect(error?.hint.contains(key) == false)
        }
        let wrong = #expect(throws: SignInError.self) { try configuration(["APPLE_TEAM_ID": "x"]) }
        #expect(wrong?.code == .clientSecretKeyInvalid)
        #expect(wrong?.hint.contains("APPLE_TEAM_ID") == true)
    }
}
