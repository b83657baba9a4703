import Foundation
import Testing

@testable import Accounts

@Suite("The password rules") struct PasswordRuleTests {
    @Test("count Unicode scalars in NFC: 8 to 128, independent of their bytes")
    func lengths() throws {
        for (count, code) in [
            (7, AccountsError.Code.passwordTooShort), (129, .passwordTooLong),
            (5000, .passwordTooLong),
        ] {
            for character in ["x", "é", "e\u{301}", "🍊"] {
                let password = String(repeating: character, count: count)
                let error = #expect(throws: AccountsError.self) { try checked(password) }
                #expect(error?.code == code, "\(count) of \(character)")
                let limit = code == .passwordTooShort ? ["minimum": "8"] : ["maximum": "128"]
                #expect(error?.parameters == limit)
            }
        }
        for count in [8, 128] {
            for character in ["ü", "e\u{301}", "🍊", "ﬃ"] {
                #expect(throws: Never.self) {
                    try checked(String(repeating: character, count: count - 1) + "Q")
                }
            }
        }
    }

    @Test("keep every character as typed, except for its composition")
    func unchanged() throws {
        for password in [
            "  two spaces  ", "\tTab and\nline\u{0}", "ＦＵＬＬwidth", "ﬁne print", "ABCabcß1",
        ] {
            #expect(Array(try checked(password).utf8) == Array(password.utf8))
        }
        let decomposed = try checked("correct horse e\u{301}")
        #expect(Array(decomposed.utf8) == Array("correct horse \u{E9}".utf8))
    }

    @Test(
        "refuse common passwords in any case",
        arguments: ["password", "PassWord", "12345678", "QWERTYUIOP", "iloveyou", "Football"]
    )
    func common(_ password: String) {
        let error = #expect(throws: AccountsError.self) { try checked(password) }
        #expect(error?.code == .passwordTooCommon)
    }

    @Test("accept a password that starts with a common one")
    func uncommon() {
        for password in ["password of mine", " password", "12345678 "] {
            #expect(throws: Never.self) { try checked(password) }
        }
    }

    @Test(
        "refuse the username in any spelling",
        arguments: [
            ("maya.lindgren", "maya.lindgren"), ("maya.lindgren", "Maya.LINDGREN"),
            ("maya@example.com", "MAYA@example.com"), ("maya.lindgren", "ｍaya.lindgren"),
            ("maya.lindgren", " maya.lindgren "),
        ]
    )
    func username(_ username: String, _ password: String) throws {
        let name = try Username(username)
        let error = #expect(throws: AccountsError.self) { try checked(password, username: name) }
        #expect(error?.code == .passwordIsUsername)
    }

    @Test(
        "refuse the user's name, email address, its part before the @ and the app's name",
        arguments: [
            "Maya Lindgren", "mAYA lINDGREN", " maya lindgren", "Maya.L.42@example.com",
            "maya.l.42", "MAYA.L.42", "Orange Juice", "orange juice", "zoe\u{301} lindgren",
            "ZOÉ LINDGREN",
        ]
    )
    func obvious(_ password: String) throws {
        let name = password.lowercased().hasPrefix("zo") ? "Zoé Lindgren" : "Maya Lindgren"
        let error = #expect(throws: AccountsError.self) {
            try checked(password, name: name, email: "maya.l.42@example.com")
        }
        #expect(error?.code == .passwordTooObvious)
    }

    @Test("refuse the part before the @ of a username that is an email address")
    func localPart() throws {
        let username = try Username("maya.lindgren@example.com")
        let error = #expect(throws: AccountsError.self) {
            try checked("Maya.Lindgren", username: username)
        }
        #expect(error?.code == .passwordTooObvious)
    }

    @Test("accept a password that contains one of these words")
    func notObvious() {
        for password in ["Maya Lindgren 7", "example.com", "orange juices", "maya.l.42@example"] {
            #expect(throws: Never.self) {
                try checked(password, name: "Maya Lindgren", email: "maya.l.42@example.com")
            }
        }
    }

    @Test("do not repeat the password in a refusal")
    func secret() {
        for password in ["Tr0ub4d", String(repeating: "Tr0ub4d", count: 40), "iloveyou"] {
            let error = #expect(throws: AccountsError.self) { try checked(password) }
            let told = "\(error?.hint ?? "") \(error?.parameters ?? [:])"
            #expect(!told.contains(password.prefix(7)))
        }
    }

    private func checked(
        _ password: String,
        username: Username? = nil,
        name: String? = nil,
        email: String? = nil
    ) throws -> String {
        let context = PasswordContext(
            username: try username ?? Username("noah"),
            name: name,
            email: email,
            appName: "Orange Juice"
        )
        return try PasswordRules.checked(password, in: context)
    }
}
