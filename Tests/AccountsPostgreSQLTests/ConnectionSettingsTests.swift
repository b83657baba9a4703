import Testing

@testable import AccountsPostgreSQL

@Suite("The address of a PostgreSQL database")
struct ConnectionSettingsTests {
    @Test(
        "is refused with what to write instead, and never repeated",
        arguments: [
            "", "mysql://root:secret@db/siwa", "postgres:siwa", "postgres://secret@db",
            "postgres://secret@db/",
            "postgres://u:secret@[::1/siwa", "postgres://u:secret@db/siwa?sslmode=secret",
            "postgres://u:secret@db/siwa?secret=1", "postgres://u:secret@db/siwa?pool_size=0",
            "postgres://u:secret@db/siwa?pool_size=501", "postgres://u:secret@db/siwa?pool_size=x",
            "postgres://u:secret@db/siwa?pool_size=1&pool_size=2",
            "postgres://u:secret@db/siwa?prepared_statements=maybe",
            "postgres://u:%zz@db/siwa", "postgres://db/" + String(repeating: "secret", count: 800),
        ]
    )
    func refused(_ url: String) {
        let error = #expect(throws: ConnectionSettings.URLError.self) {
            try ConnectionSettings(url: url)
        }
        #expect(error?.fix.isEmpty == false)
        #expect(error?.message.contains("secret") == false)
        #expect(error?.fix.contains("secret") == false)
    }

    @Test(
        "of another machine asks the server to prove its name, unless it says otherwise",
        arguments: [
            ("postgres://siwa@db.example.com/siwa", "verify-full", false),
            ("postgres://siwa@127.0.0.1,db.example.com/siwa", "verify-full", false),
            ("postgres://siwa@/siwa?host=/run/postgresql,192.0.2.1", "verify-full", false),
            ("postgres://siwa@localhost/siwa?hostaddr=192.0.2.1", "verify-full", false),
            ("postgres://siwa@/siwa?service=elsewhere", "verify-full", false),
            ("postgres://siwa@127.example.com/siwa", "verify-full", false),
            ("postgres://siwa@db.example.com/siwa?sslmode=verify-full", "verify-full", false),
            ("postgres://siwa@db.example.com/siwa?sslmode=require", "require", true),
            ("postgres://siwa@db.example.com/siwa?sslmode=disable", "disable", true),
            ("postgres:///siwa", "prefer", false),
            ("postgresql://siwa@localhost:5433/siwa", "prefer", false),
            ("postgres://siwa@127.0.0.1,[::1]/siwa", "prefer", false),
            ("postgres://siwa@/siwa?host=/run/postgresql", "prefer", false),
            ("postgres://siwa@localhost/siwa?sslmode=disable", "disable", false),
        ]
    )
    func encryption(_ url: String, _ mode: String, _ warns: Bool) throws {
        let settings = try ConnectionSettings(url: url)
        #expect(settings.parameter("sslmode") == mode)
        #expect((settings.warning != nil) == warns)
    }

    @Test("has defaults, which it may change, but for the encoding")
    func defaults() throws {
        let plain = try ConnectionSettings(url: "postgres:///siwa?client_encoding=LATIN1")
        #expect(plain.poolSize == 16)
        #expect(plain.preparesStatements)
        #expect(plain.parameter("target_session_attrs") == "read-write")
        #expect(plain.parameter("connect_timeout") == "3")
        #expect(plain.parameter("client_encoding") == "UTF8")
        let other = try ConnectionSettings(
            url: "postgres://a,b/siwa?pool_size=3&connect_timeout=1&prepared_statements=off"
                + "&target_session_attrs=primary"
        )
        #expect(other.poolSize == 3)
        #expect(!other.preparesStatements)
        #expect(other.parameter("target_session_attrs") == "primary")
        #expect(other.parameter("connect_timeout") == "1")
        #expect(other.parameter("host") == "a,b")
    }

    @Test("never shows its password")
    func hidden() throws {
        let settings = try ConnectionSettings(
            url: "postgres://siwa:secret-word@db.example.com/juice"
        )
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings)", String(reflecting: settings), dumped] {
            #expect(text.contains("db.example.com"))
            #expect(!text.contains("secret-word"))
        }
    }
}
