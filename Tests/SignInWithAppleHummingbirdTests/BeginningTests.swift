import AppleEmulatorTesting
import Foundation
import HTTPTypes
import HummingbirdTesting
import TestSupport
import Testing

@Suite("Beginning a sign-in with a browser", HelloWorld.lending) struct BeginningTests {
    private let world: HelloWorld
    init() throws { world = try HelloWorld.lending.value }

    @Test(
        "Only a navigation begins a sign-in: no image, frame or script of any site sets a cookie",
        arguments: [
            ["Mode": "no-cors", "Dest": "image", "Site": "cross-site"],
            ["Mode": "no-cors", "Dest": "image", "Site": "same-site"],
            ["Mode": "cors", "Dest": "empty", "Site": "same-origin"],
            ["Mode": "navigate", "Dest": "iframe", "Site": "cross-site"],
            ["Mode": "navigate", "Dest": "object"], ["Mode": "no-cors"], ["Dest": "script"],
            ["Dest": "empty"], ["Mode": ""], ["Dest": ""],
        ]
    )
    func embedded(fields: [String: String]) async throws {
        let refused = try await world.get("/auth/apple", fields: Self.metadata(fields))
        #expect(refused.status == .forbidden)
        #expect(refused.text.contains("<code>cross_site_request</code>"))
        #expect(refused.headers[values: .setCookie].isEmpty)
    }

    @Test(
        "No browser begins one that loads the URL ahead",
        arguments: ["prefetch", "prefetch;prerender"]
    )
    func ahead(purpose: String) async throws {
        let refused = try await world.get("/auth/apple", fields: ["Sec-Purpose": purpose])
        #expect(refused.status == .forbidden)
        #expect(refused.headers[values: .setCookie].isEmpty)
    }

    @Test(
        "A link, a typed URL, and a link that a service worker of the site passes on begin one",
        arguments: [
            ["Mode": "navigate", "Dest": "document", "Site": "cross-site"],
            ["Mode": "navigate", "Dest": "document", "Site": "none"], ["Mode": "navigate"],
            ["Mode": "navigate", "Dest": "empty", "Site": "same-origin"],
            ["Dest": "document"], [:],
        ]
    )
    func navigation(fields: [String: String]) async throws {
        let begun = try await world.get("/auth/apple", fields: Self.metadata(fields))
        #expect(begun.status == .seeOther)
        #expect(begun.headers[values: .setCookie].count == 1)
    }

    @Test("The cookies of forgotten tabs have 5 KB together, and the newest sign-in succeeds")
    func size() async throws {
        let path = "/?" + String(repeating: "/", count: 510)
        var jar: [(name: String, value: String)] = []
        var begun: TestResponse?
        for _ in 0..<20 {
            let cookies = Self.field(jar)
            begun = try await world.get("/auth/apple?return_to=\(path)", cookie: cookies)
            Self.keep(begun?.headers[values: .setCookie] ?? [], in: &jar)
            #expect((1...5 * 1024).contains(Self.field(jar).utf8.count))
        }
        // The slashes of a path are not escaped.
        #expect(jar.count >= 3)
        let address = try #require(begun?.headers[.location].flatMap { URL(string: $0) })
        let form = try await world.apple.authorize(address)
        let answer = try await world.post(form.formBody, cookie: Self.field(jar))
        #expect(answer.headers[.location] == path)
        // The other tabs' cookies name the new session.
        Self.keep(answer.headers[values: .setCookie].filter { $0.contains("pending") }, in: &jar)
        #expect((1...5 * 1024).contains(Self.field(jar).utf8.count))
    }

    @Test("Sixty sign-ins that begin at once, without Fetch Metadata, set few cookies")
    func atOnce() async throws {
        let path = "/?" + String(repeating: "/", count: 510)
        var jar: [(name: String, value: String)] = []
        for _ in 0..<60 {
            let begun = try await world.get("/auth/apple?return_to=\(path)")
            Self.keep(begun.headers[values: .setCookie], in: &jar)
        }
        // By default, nginx accepts a line of 8 KiB.
        #expect((1...8000).contains(Self.field(jar).utf8.count))
        // The next sign-in deletes those for which there is no room.
        let next = try await world.get("/auth/apple", cookie: Self.field(jar))
        Self.keep(next.headers[values: .setCookie], in: &jar)
        #expect((1...5 * 1024).contains(Self.field(jar).utf8.count))
        let address = try #require(next.headers[.location].flatMap { URL(string: $0) })
        let form = try await world.apple.authorize(address)
        let answer = try await world.post(form.formBody, cookie: Self.field(jar))
        #expect(answer.headers[.location] == "/")
    }

    @Test("Five tabs that begin one after another end in any order")
    func tabs() async throws {
        var jar: [(name: String, value: String)] = []
        var forms: [Data] = []
        for _ in 0..<5 {
            let begun = try await world.get("/auth/apple", cookie: Self.field(jar))
            Self.keep(begun.headers[values: .setCookie], in: &jar)
            let address = try #require(begun.headers[.location].flatMap { URL(string: $0) })
            forms.append(try await world.apple.authorize(address).formBody)
        }
        for form in forms.reversed() {
            let answer = try await world.post(form, cookie: Self.field(jar))
            #expect(answer.headers[.location] == "/")
            Self.keep(answer.headers[values: .setCookie], in: &jar)
        }
        #expect(jar.allSatisfy { !$0.name.contains("pending") })
    }

    @Test("A return path of more than 512 bytes is dropped") func longReturnPath() async throws {
        let path = "/?" + String(repeating: "/", count: 511)
        let (form, cookie) = try await world.callback(from: "/auth/apple?return_to=\(path)")
        #expect(try await world.post(form.formBody, cookie: cookie).headers[.location] == "/")
    }

    private static func field(_ jar: [(name: String, value: String)]) -> String {
        jar.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private static func metadata(_ fields: [String: String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: fields.map { ("Sec-Fetch-\($0.key)", $0.value) })
    }

    /// Stores and deletes cookies as a browser does, which sends older ones first.
    private static func keep(_ fields: [String], in jar: inout [(name: String, value: String)]) {
        for field in fields {
            let pair = field.prefix { $0 != ";" }
            let name = String(pair.prefix { $0 != "=" })
            jar.removeAll { $0.name == name }
            guard !field.contains("Max-Age=0") else { continue }
            jar.append((name, String(pair.dropFirst(name.count + 1))))
        }
    }
}
