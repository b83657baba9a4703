import AppleIdentity
import ArgumentParser
import Foundation
import SignInWithApple
import SignedTokens

/// `siwa explain`: the decision about a token, check by check.
struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract:
            "Explain why a token, notification or client secret is accepted or refused.",
        discussion: """
            For an error response of Apple, lists its possible causes.

            Exits with 1 if it is refused. Otherwise lists the checks that it did not make, because their option is \
            missing.
            """
    )

    @Argument(help: "The token, or the JSON of a notification or an error; - reads standard input.")
    var token: String

    @Option(help: "The time at which to check: seconds since 1970, or ISO 8601. (default: now)")
    var at: String?

    @Option(help: "A file or URL of the keys that verify the signature. (default: Apple's keys)")
    var keys: String?

    @Option(help: "An accepted client ID; repeatable.") var audience: [String] = []

    @Option(help: "The issuer the token must have.") var issuer = AppleService.appleIssuer

    @Option(help: "The request's nonce, not hashed; '' if the request had none.")
    var nonce: String?

    @Option(help: "The authorization code that came with the token.") var code: String?

    @Option(help: "The access token that came with the token.") var accessToken: String?

    func run() async throws {
        let token = try readToken()
        let explanation = TokenExplanation.explain(
            token,
            keys: try await keySet(for: token),
            audience: audience.map { ClientID($0) },
            expecting: expectation,
            issuer: issuer,
            at: try time()
        )
        let console = Terminal()
        for line in explanation.lines {
            console.write("\(line.subject): \(line.words)", after: "\(line.mark.rawValue)  ")
        }
        console.write(explanation.verdict)
        if explanation.refusal != nil { throw ExitCode(1) }
        for line in explanation.openLines { console.write(Self.words(for: line)) }
    }

    private var expectation: IdentityTokenExpectation {
        let nonce: NonceExpectation =
            switch nonce {
            case nil: .unchecked
            case "": .absent
            case .some(let value): .rawOrSHA256(value)
            }
        return IdentityTokenExpectation(
            nonce: nonce,
            authorizationCode: code,
            accessToken: accessToken
        )
    }

    /// A check that was not made, and the option that makes it.
    private static func words(for line: TokenExplanation.Line) -> String {
        let option = options[line.subject].map { "; \($0) examines it" } ?? ""
        return "not examined: \(line.subject)\(option)"
    }

    /// The options by the names of the lines.
    private static let options = [
        "signature": "--keys FILE|URL", "audience": "--audience ID", "client": "--audience ID",
        "issuer": "--issuer URL",
        "nonce": "--nonce TEXT (or '' if the request had none)", "code hash": "--code CODE",
        "access token hash": "--access-token TOKEN",
    ]

    /// The keys of `--keys`, or else Apple's; without Apple's, the other checks can still be explained.
    private func keySet(for token: String) async throws -> JSONWebKeySet? {
        if let keys { return try await keySet(at: keys) }
        let isError = (try? OAuthErrorResponse(parsing: Data(token.utf8))) != nil
        guard !isError, !TokenExplanation.isAccessToken(token) else { return nil }
        do {
            return try await keySet(at: AppleService.appleIssuer + ApplePath.keys)
        } catch {
            Terminal().writeError("note: can't fetch Apple's keys; give a file of them with --keys")
            return nil
        }
    }

    /// Reads a key set from a file or a URL.
    private func keySet(at place: String) async throws -> JSONWebKeySet {
        let isURL = place.hasPrefix("http://") || place.hasPrefix("https://")
        let data = isURL ? try await fetched(place) : FileManager.default.contents(atPath: place)
        guard let data else {
            throw CommandFailure("can't read \(place)", hint: "give a file or a URL with --keys")
        }
        guard let keys = try? JSONWebKeySet(json: data) else {
            throw CommandFailure(
                "\(place) is not a key set",
                hint: "give a JSON document with the member \"keys\""
            )
        }
        return keys
    }

    private func fetched(_ place: String) async throws -> Data {
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

    private func readToken() throws -> String {
        guard token == "-" else { return token }
        let limit = 2 * UnverifiedToken.maximumByteCount
        let data = try? FileHandle.standardInput.read(upToCount: limit)
        let text = String(decoding: data ?? Data(), as: UTF8.self)
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func time() throws -> Date {
        guard let at else { return TimeSource.live.now }
        if let seconds = TimeInterval(at), seconds.isFinite {
            return Date(timeIntervalSince1970: seconds)
        }
        guard let date = try? Date(at, strategy: .iso8601) else {
            throw CommandFailure.usage(
                "\(at) is not a time",
                hint: "give seconds since 1970 or a form such as 2026-01-31T12:00:00Z"
            )
        }
        return date
    }
}
