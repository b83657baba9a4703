import AppleEmulator
import AppleIdentity
import Testing

// Fidelity: registration-9, registration-10, registration-12, redirect-1, redirect-2
// Fidelity: redirect-11
@Suite("Return URLs at registration") struct ReturnURLTests {
    private func refusal(of url: String) async throws -> ControlRefusal? {
        try await Box().refusal(
            of: .service,
            [
                "client_id": "com.example.other", "primary_client_id": .string(Box.app),
                "return_urls": [.string(url)],
            ]
        )
    }

    @Test(
        "What is not strictly an https address with a domain name is refused",
        arguments: [
            "https://a.example.com/x\r\nSet-Cookie: a=b", "https://a.example.com/\0",
            "https://a.example.com/a b", "https://a.example.com/é", "https://ä.example.com/",
            "https://a.example.com:99999/", "https://a.example.com:0/", "https://a.example.com:/",
            "https://a.example.com:x/", "https://8.8.8.8./cb", "https://8.8.8.8/cb",
            "https://0x7f.1/", "https://1.0x7f/", "https://[::2]/cb", "https://[v1.x]/cb",
            "https://a..com/", "https://.example.com/", "https://example.com./", "https://-.com/",
            "https://a.example.com\\@b.com/", "https://a.example.com/<x>",
            "https://a%2eexample.com/", "https://u@a.example.com/", "https://a.example.com/#",
            "https://localhost./", "http://a..localhost/", "http://localhost:70000/",
            "https://localhost.example/%zz\u{7F}", "javascript://a.b/x", "https:/a.example.com",
            "http://a.example.com/cb", "http://web.:3000/cb", "http://2130706433/", "ftp://web/cb",
            "http://internal.example.com/", "http://-web:3000/cb",
            "http://172.32.0.1/", "http://192.169.1.1/", "http://11.0.0.1/", "http://10.1/",
            "http://010.0.0.1.example/", "http://[fe80::1]/", "http://a.test./",
        ]
    )
    func refused(url: String) async throws {
        #expect(try await refusal(of: url)?.field == "return_urls")
    }

    @Test(
        "Others are taken",
        arguments: [
            "https://a.example.com", "https://a.example.com/?x=1&y=%20", "HTTPS://A.example.com/",
            "https://a.example.com:65535/", "https://a_b.example.com/", "https://xn--4ca.com/",
            "http://127.0.0.1:3000/cb", "http://localhost:8080/", "http://juice.localhost:1/",
            "https://[::1]/cb", "https://127.evil.com/cb", "http://web:3000/cb",
            "http://shop_web:3000/cb", "https://web:8443/cb", "http://host.docker.internal:3000/",
            "http://10.0.2.2:8080/cb", "http://172.16.0.1/", "http://172.31.255.1/",
            "http://192.168.1.20:3000/cb", "http://[fd12:3456::1]:3000/cb",
            "http://shop.test/cb", "http://macbook.local:3000/cb", "http://nas.home.arpa/cb",
            "http://web.shop.svc.cluster.local/cb",
        ]
    )
    func taken(url: String) async throws { #expect(try await refusal(of: url) == nil) }

    @Test(
        "A Services ID has a hundred return URLs at most, or ten of an individual",
        arguments: [(false, 100), (false, 101), (true, 10), (true, 11)]
    )
    func count(isIndividual: Bool, count: Int) async throws {
        let urls = (1...count).map { JSONValue.string("https://a\($0).example.com/") }
        let box = try await Box { $0.teams[0].isIndividual = isIndividual }
        let refusal = await box.refusal(
            of: .service,
            [
                "client_id": "com.example.other", "primary_client_id": .string(Box.app),
                "return_urls": .array(urls),
            ]
        )
        #expect(refusal?.field == (count > (isIndividual ? 10 : 100) ? "return_urls" : nil))
    }

    @Test("A list takes no control characters") func lists() async throws {
        let box = try await Box()
        let refusal = await box.refusal(
            of: .person,
            ["email": "new@example.com", "other_emails": ["a\nb@example.com"]]
        )
        #expect(refusal?.field == "other_emails")
        #expect(refusal?.message.contains("control characters") == true)
    }
}
