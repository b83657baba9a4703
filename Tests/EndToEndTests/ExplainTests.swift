import AppleIdentity
import Foundation
import TestSupport
import Testing

/// The command that explains tokens, as a user runs it.
@Suite("siwa explain") struct ExplainTests {
    @Test("An identity token and a client secret are distinguished and explained")
    func kinds() async throws {
        try await withTemporaryFolder { folder in
            try await SiwaProcess.with(data: folder) { siwa in
                let keys = siwa.apple.absoluteString + ApplePath.keys
                let credential = try await ControlPort(siwa).credentials(for: "maya@example.com")
                let token = try #require(credential["identity_token"]?.stringValue)
                let options = ["--keys", keys, "--audience", ControlPort.clientID]
                let good = try await Program.run(["explain", token] + options, folder)
                #expect(good.exitCode == 0, "\(good.output)")
                let rest = good.output.components(separatedBy: "\nvalid, as far as it could be")
                    .last
                #expect(rest?.contains("not examined: nonce; --nonce ") == true, "\(good.output)")
                #expect(rest?.contains("not examined: code hash; --code ") == true)

                let code = try #require(credential["authorization_code"]?.stringValue)
                let accepted = try await Program.run(
                    ["explain", token, "--nonce", "", "--code", code] + options,
                    folder
                )
                #expect(accepted.exitCode == 0, "\(accepted.output)")
                #expect(accepted.output.hasSuffix("\naccepted\n"))
                let other = try await Program.run(
                    ["explain", token, "--nonce", "n-1", "--code", "other"] + options,
                    folder
                )
                #expect(other.exitCode == 1)
                #expect(other.output.hasSuffix("\nrefused: token_nonce_missing\n"))

                let altered = try await Program.run(["explain", token + "A"] + options, folder)
                #expect(altered.exitCode == 1)

                let key = folder.appending(path: "AuthKey_JUICEKEY01.p8").path
                let secret = try await Program.run(
                    [
                        "secret", "--client-id", ControlPort.clientID, "--team-id", "JUICETEAM1",
                        "--key-id", "JUICEKEY01", "--key-file", key,
                    ],
                    folder
                )
                let text = secret.output.trimmingCharacters(in: .whitespacesAndNewlines)
                let explained = try await Program.run(["explain", text] + options, folder)
                #expect(explained.exitCode == 0, "\(explained.output)")
                #expect(explained.output.contains("key JUICEKEY01 of team JUICETEAM1"))
            }
        }
    }
}
