import AppleIdentity
import Crypto
import CryptoExtras
import Foundation
import SignInWithApple
import Testing

@Suite struct ClientSecretKeyTests {
    private static let key = P256.Signing.PrivateKey()
    private static var pem: String { key.pemRepresentation }

    private static func relabelled(_ label: String) -> String {
        pem.replacing("PRIVATE KEY", with: label)
    }

    private static func wrapped(_ der: Data) -> String {
        let lines = der.base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        return "-----BEGIN PRIVATE KEY-----\n\(lines)\n-----END PRIVATE KEY-----\n"
    }

    private func read(
        _ pem: String,
        keyID: KeyID = "ABC123DEFG",
        teamID: TeamID = "DEF123GHIJ"
    ) throws(SignInError) -> ClientSecretKey {
        try ClientSecretKey(pem: pem, keyID: keyID, teamID: teamID)
    }

    @Test func theFileAsDownloaded() throws {
        let key = try read(Self.pem)
        #expect(key.keyID == "ABC123DEFG")
        #expect(key.teamID == "DEF123GHIJ")
        _ = try read("\n" + Self.pem + "\n\n")
        _ = try read(Self.pem.replacing("\n", with: "\r\n"))
    }

    @Test func noPrintingShowsTheKey() throws {
        let key = try read(Self.pem)
        var dumped = ""
        dump(key, to: &dumped)
        let texts = [dumped, "\(key)", String(reflecting: key)]
        for text in texts {
            #expect(!text.contains("PRIVATE"))
            #expect(!text.contains("SigningKey"))
        }
    }

    /// The content of a file, shown in no report, and a word that the explanation must have.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let text: String
        let word: String
        var testDescription: String { word }
    }

    static let mistakes: [Mistake] = [
        Mistake(text: "", word: "empty"),
        Mistake(text: "  \n", word: "empty"),
        Mistake(text: "secret", word: "not PEM"),
        Mistake(text: "/etc/keys/AuthKey_ABC123DEFG.p8", word: "not PEM"),
        Mistake(text: relabelled("CERTIFICATE"), word: "certificate"),
        Mistake(text: key.publicKey.pemRepresentation, word: "public key"),
        Mistake(text: TestKey.first.privateKey.pemRepresentation, word: "RSA"),
        Mistake(text: relabelled("EC PRIVATE KEY"), word: "SEC 1"),
        Mistake(text: relabelled("ENCRYPTED PRIVATE KEY"), word: "encrypted"),
        Mistake(text: relabelled("OPENSSH PRIVATE KEY"), word: "label"),
        Mistake(text: P384.Signing.PrivateKey().pemRepresentation, word: "another curve"),
        Mistake(text: P521.Signing.PrivateKey().pemRepresentation, word: "another curve"),
        Mistake(text: wrapped(TestKey.first.privateKey.pkcs8DERRepresentation), word: "RSA"),
        Mistake(text: wrapped(Data("nothing of a key".utf8)), word: "another type"),
        Mistake(text: wrapped(key.derRepresentation.dropLast(20)), word: "damaged"),
        Mistake(text: pem.replacing("\n", with: #"\n"#), word: #"\n"#),
        Mistake(text: "\"\(pem)\"", word: "quotation marks"),
        Mistake(text: " '\(pem.replacing("\n", with: #"\n"#))'\n", word: "quotation marks"),
        Mistake(text: "\"\(pem)", word: "quotation marks"),
        Mistake(text: pem.replacing("\n", with: " "), word: "spaces"),
        Mistake(text: String(pem.dropLast(40)), word: "cut off"),
        Mistake(text: pem.replacing("M", with: "*"), word: "damaged"),
        Mistake(text: Data(pem.utf8).base64EncodedString(), word: "Base64"),
        Mistake(text: key.derRepresentation.base64EncodedString(), word: "missing around it"),
        Mistake(text: String(repeating: "x", count: 20_000), word: "longer"),
    ]

    @Test(arguments: mistakes)
    func eachMistakeIsExplained(mistake: Mistake) async {
        let error = await expectRefusal(.clientSecretKeyInvalid) { try read(mistake.text) }
        let hint = error?.hint ?? ""
        #expect(hint.contains(mistake.word))
        let secret = Self.key.derRepresentation.base64EncodedString().prefix(40)
        #expect(error?.hint.contains(secret) == false)
    }

    @Test(arguments: ["", "ABC", "abc123defg", "ABC123DEFGH", "ABC123DEF ", "AuthKey_ABC123DEFG"])
    func malformedNamesAreExplained(name: String) async {
        let key = await expectRefusal(.clientSecretKeyInvalid) {
            try read(Self.pem, keyID: KeyID(name))
        }
        #expect(key?.hint.contains("key ID") == true)
        let team = await expectRefusal(.clientSecretKeyInvalid) {
            try read(Self.pem, teamID: TeamID(name))
        }
        #expect(team?.hint.contains("team ID") == true)
    }
}
