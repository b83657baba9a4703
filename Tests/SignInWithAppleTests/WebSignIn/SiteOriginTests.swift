import SignInWithApple
import Testing

@Suite("The origin of a URL") struct SiteOriginTests {
    @Test(
        arguments: [
            ("HTTPS://Shop.Example.com/callback", "https://shop.example.com"),
            ("https://shop.example.com:443/", "https://shop.example.com"),
            ("http://localhost:80", "http://localhost"),
            ("http://localhost:443", "http://localhost:443"),
            ("https://[2001:DB8::1]/callback", "https://[2001:db8::1]"),
            ("http://[::1]:8080/callback", "http://[::1]:8080"),
        ]
    )
    func serialized(url: String, serialized: String) {
        #expect(SiteOrigin(url).serialized == serialized)
    }

    @Test(
        arguments: [
            ("https://shop.example.com", "Shop.Example.com:443", true),
            ("https://shop.example.com", "shop.example.com:80", false),
            ("https://[::1]", "[::1]:443", true),
            ("http://[::1]:8080", "[::1]:8080", true),
            ("http://[::1]:8080", "::1", false),
            ("no URL", "localhost", false),
        ]
    )
    func matches(url: String, host: String, isMatching: Bool) {
        #expect(SiteOrigin(url).matches(authority: host) == isMatching)
    }
}
