#if canImport(SimulatedAuthenticationServices)
    import AppleIdentity
    import Foundation
    import SimulatedAuthenticationServices
    import Testing

    @testable import SignInKit

    @Suite("The system's sheet for web pages") struct SystemBrowserTests {
        /// The page in the device's browser, by what a test does there.
        private struct DeviceBrowser: SimulatedBrowser {
            let pages = LockedValue<[WebAuthenticationPage]>([])
            let visit: @Sendable (URL) async -> URL?

            func open(_ page: WebAuthenticationPage) async -> URL? {
                pages.withLock { $0.append(page) }
                return await visit(page.url)
            }
        }

        @Test(
            "A person signs in at the real server and comes back by scheme or link",
            arguments: [(AppWorld.ownScheme, false), (AppWorld.link, true)]
        ) func wholeWay(redirect: String, isEphemeral: Bool) async throws {
            try await withApp { world in
                let person = PagePerson(transport: world.transport)
                let browser = DeviceBrowser { try? await person.wayBack(from: $0) }
                world.device.browser = browser
                let session = SystemBrowserSession(
                    redirectURI: try #require(URL(string: redirect)),
                    isEphemeral: isEphemeral
                )
                let client = try world.launch()
                let signedIn = try await client.signInWithBrowser(session)
                #expect(signedIn.account.username == "pia")
                let page = try #require(browser.pages.withLock { $0.first })
                #expect(page.isEphemeral == isEphemeral)
                #expect(page.url.path() == "/sign-in/app")
            }
        }

        @Test("A page that the person closes, or that leads elsewhere, is a cancellation")
        func closed() async throws {
            for answer in [nil, "other:/signed-in", "https://juice.example.com/other"] {
                try await withApp { world in
                    world.device.browser = DeviceBrowser { _ in answer.flatMap(URL.init(string:)) }
                    let client = try world.launch()
                    for redirect in [AppWorld.ownScheme, AppWorld.link] {
                        let url = try #require(URL(string: redirect))
                        let session = SystemBrowserSession(redirectURI: url)
                        let refusal = try await kind { try await client.signInWithBrowser(session) }
                        #expect(refusal == .canceled)
                    }
                }
            }
        }

        @Test("A cancelled task closes the page") func cancelled() async throws {
            try await withApp { world in
                let (opened, never) = (Signal(), Signal())
                world.device.browser = DeviceBrowser { _ in
                    opened.send()
                    await never.wait()
                    return nil
                }
                let client = try world.launch()
                let url = try #require(URL(string: AppWorld.ownScheme))
                let attempt = Task {
                    let session = SystemBrowserSession(redirectURI: url)
                    return try await kind { try await client.signInWithBrowser(session) }
                }
                await opened.wait()
                attempt.cancel()
                #expect(try await attempt.value == .canceled)
                #expect(await client.state == .signedOut())
            }
        }

        @Test("A page that can't be shown is a failure") func notShown() async throws {
            let url = try #require(URL(string: AppWorld.ownScheme))
            let session = SystemBrowserSession(redirectURI: url)
            let failure = await #expect(throws: AuthorizationFailure.self) {
                try await session.open(try #require(URL(string: "mailto:maya")), callback: url)
            }
            #expect(failure?.kind == .failed)
        }
    }
#endif
