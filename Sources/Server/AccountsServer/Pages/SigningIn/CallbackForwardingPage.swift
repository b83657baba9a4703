import SignInWithApple

/// The page that posts Apple's callback again, with the browser's cookies.
struct CallbackForwardingPage: Page {
    static let template = PageTemplate.callbackForwarding

    let forwarding: CallbackForwarding

    var script: String? { CallbackForwarding.script }

    var titleWord: String { "signingInTitle" }

    func values(_ text: PageText) -> [String: Any?] {
        [
            "action": WebPath.callback,
            "fields": forwarding.fields.map { ["name": $0.name, "value": $0.value] },
        ]
    }
}
