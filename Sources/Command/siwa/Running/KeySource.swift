import Foundation
import SignedTokens

/// A key set from a file or a URL.
struct KeySource {
    /// The URL at which Apple publishes its keys.
    static let apple = "https://appleid.apple.com/auth/keys"

    private let place: String

    init(_ place: String) { self.place = place }

    func load() async throws -> JSONWebKeySet {
        let data =
            place.hasPrefix("http://") || place.hasPrefix("https://")
            ? try await fetched() : try read()
        do {
            return try JSONWebKeySet(json: data)
        } catch {
            throw CommandFailure(
                "\(place) is not a key set",
                hint: "give a JSON document with the member \"keys\""
            )
        }
    }

    private func read() throws -> Data {
        guard let data = FileManager.default.contents(atPath: place) else {
            throw CommandFailure("can't read \(place)", hint: "give a file or a URL with --keys")
        }
        return data
    }

    private func fetched() async throws -> Data {
        let url = try URL.server(place, orUsage: "\(place) is not a URL")
        guard let (status, body) = try? await url.answer() else {
            throw CommandFailure(
                "can't fetch \(place)",
                hint: "save the key set to a file and give it with --keys"
            )
        }
        guard status == 200 else { throw CommandFailure("\(place) responded with \(status)") }
        return body
    }
}
