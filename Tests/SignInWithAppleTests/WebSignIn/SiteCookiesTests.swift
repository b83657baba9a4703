import SignInWithApple
import Testing

@Suite("The cookies of a site") struct SiteCookiesTests {
    @Test(
        "At https a cookie is Secure and its name is bound to the host",
        arguments: ["https://juice.example.com/callback", "HTTPS://juice.example.com"]
    )
    func secure(address: String) {
        let cookies = SiteCookies(at: address)
        #expect(cookies.name("session") == "__Host-session")
        let session = cookies.setCookie("session", "s", lifetime: .seconds(60))
        #expect(session == "__Host-session=s; Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax")
        let pending = cookies.setCookie("p", "s", lifetime: .seconds(60), reach: .everySite)
        #expect(pending.hasSuffix("; Secure; HttpOnly; SameSite=None"))
    }

    @Test("A cookie over HTTP is plain, because Safari rejects Secure ones")
    func plain() {
        let cookies = SiteCookies(at: "http://localhost:8080/callback")
        #expect(cookies.name("session") == "session")
        for reach in [SiteCookies.Reach.ownSite, .everySite] {
            let cookie = cookies.setCookie("p", "", lifetime: .zero, reach: reach)
            #expect(cookie == "p=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax")
        }
    }
}
