import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization

/// A web shop on an origin of its own whose page loads Apple's script.
struct ShopSite: Sendable {
    static let clientID = "com.example.shop.web"

    /// Where browsers find the shop.
    let url: URL
    private let callbacks: Callbacks

    /// How often the redirect address was asked for.
    var callbackCount: Int { callbacks.count.withLock(\.self) }

    private final class Callbacks: Sendable {
        let count = Mutex(0)
    }

    /// Runs a shop that Apple knows while the body works.
    ///
    /// - Parameters:
    ///   - siwa: the Apple whose script it loads.
    ///   - locale: the script's language.
    ///   - head: tags of the page's head before the script.
    ///   - button: what stands in the page's body.
    ///   - body: what to do with it.
    /// - Throws: what the body throws.
    static func with(
        _ siwa: SiwaProcess,
        locale: String = "en_US",
        head: String = "",
        button: String = "",
        _ body: @Sendable @escaping (ShopSite) async throws -> Void
    ) async throws {
        let page = page(siwa, locale: locale, head: head, button: button)
        let callbacks = Callbacks()
        let router = Router()
        router.get("/") { _, _ in html(page) }
        // A page that parts itself from its popups.
        router.get("/parted") { _, _ in
            var response = html(page)
            if let name = HTTPField.Name("Cross-Origin-Opener-Policy") {
                response.headers[name] = "same-origin"
            }
            return response
        }
        router.post("/callback") { request, _ in
            callbacks.count.withLock { $0 += 1 }
            let form = String(buffer: try await request.body.collect(upTo: 64 * 1024))
            return html("<title>Callback</title><pre id=form>\(form)</pre>")
        }
        let shop = Application(router: router)
        try await shop.test(.live) { client in
            let port = try required(client.port)
            let url = try required(URL(string: "http://shop.localhost:\(port)/"))
            try await ControlPort(siwa).addService(clientID, returnURLs: ["\(url)callback"])
            try await body(ShopSite(url: url, callbacks: callbacks))
        }
    }

    private static func html(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw HarnessError("the shop has no address") }
        return value
    }

    private static func page(
        _ siwa: SiwaProcess,
        locale: String,
        head: String,
        button: String
    ) -> String {
        let base = siwa.apple.absoluteString
        let root = base.hasSuffix("/") ? String(base.dropLast()) : base
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>Shop</title>
            \(head)
            <script>
            window.heard = [];
            const names = ["AppleIDSignInOnSuccess", "AppleIDSignInOnFailure", "AppleIDSigInLoaded"];
            for (const name of names)
              document.addEventListener(name, (event) => heard.push([name, event.detail]));
            function settings(changes) {
              return { clientId: "\(clientID)", redirectURI: location.origin + "/callback",
                scope: "name email", state: "s-1", nonce: "n-1", usePopup: true, ...changes };
            }
            function attempt(changes) {
              AppleID.auth.signIn(changes)?.then(
                (result) => show("success", result), (problem) => show("failure", problem));
            }
            function show(kind, result) {
              const line = document.createElement("pre");
              line.className = kind;
              line.textContent = JSON.stringify(result);
              document.body.append(line);
            }
            </script>
            <script src="\(root)/appleauth/static/jsapi/appleid/1/\(locale)/appleid.auth.js"></script>
            </head>
            <body style="font-family: system-ui; padding: 2rem">
            <h1>Shop</h1>
            <p><button id="try" onclick="attempt()">Sign in</button></p>
            \(button)
            </body>
            </html>
            """
    }
}

extension ControlPort {
    /// Registers a Services ID of the demo's app.
    func addService(_ clientID: String, returnURLs: [String]) async throws {
        try await add(
            "/services",
            [
                "client_id": .string(clientID), "primary_client_id": .string(Self.clientID),
                "name": "Shop", "return_urls": .array(returnURLs.map { .string($0) }),
            ]
        )
    }

    /// Decides beforehand what the next person at Apple's page says.
    func decideNext(_ decision: String) async throws {
        try await add(
            "/authorizations/next",
            ["person": "noah@example.com", "decision": .string(decision)]
        )
    }
}
