import Foundation
import Testing

@testable import Accounts

@Suite("The rules of a password")
struct PasswordRuleTests {
    @Test("count Unicode scalars in NFC: 8 to 128, whatever bytes these need")
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

    @Test("leave every character as it was typed, but for its composition")
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
        "refuse what is tried first, in any case",
        arguments: ["password", "PassWord", "12345678", "QWERTYUIOP", "iloveyou", "Football"]
    )
    func common(_ password: String) {
        let error = #expect(throws: AccountsError.self) { try checked(password) }
        #expect(error?.code == .passwordTooCommon)
    }

    @Test("accept what merely begins with a common one")
    func uncommon() {
        for password in ["password of mine", " password", "12345678 "] {
            #expect(throws: Never.self) { try checked(password) }
        }
    }

    @Test(
        "refuse the username, however it is typed",
        arguments: [
            ("maya.lindgren", "maya.lindgren"), ("maya.lindgren", "Maya.LINDGREN"),
            ("maya@example.com", "MAYA@example.com"), ("maya.lindgren", "ｍaya.lindgren"),
            ("maya.lindgren", " maya.lindgren "),
        ]
    )
    func username(_ username: String, _ password: String) throws {
        let name = try Username(username)
        let error = #expect(throws: AccountsError.self) {
            try PasswordRules.checked(password, username: name)
        }
        #expect(error?.code == .passwordIsUsername)
    }

    @Test("have no word of the password in a refusal")
    func secret() {
        for password in ["Tr0ub4d", String(repeating: "Tr0ub4d", count: 40), "iloveyou"] {
            let error = #expect(throws: AccountsError.self) { try checked(password) }
            let told = "\(error?.hint ?? "") \(error?.parameters ?? [:])"
            #expect(!told.contains(password.prefix(7)))
        }
    }

    private func checked(_ password: String) throws -> String {
        try PasswordRules.checked(password, username: try Username("noah"))
    }
}
