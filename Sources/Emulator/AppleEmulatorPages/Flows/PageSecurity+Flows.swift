extension PageSecurity {
    /// The script that updates the lists of a page.
    static let liveScript = String(decoding: PackageResources.live_js, as: UTF8.self)

    /// For the pages of sign-ins: one script, allowed by hash, which requests this port.
    package static let flowFields = fields(
        scripts: "; script-src '\(hash(of: liveScript))'; connect-src 'self'; form-action 'none'",
        referrerPolicy: "no-referrer",
        styleSheet: PageTemplates.flowStyleSheet
    )

    /// The fields of console pages that draw parts of sign-ins: no script, forms to this port only.
    package static let consoleFlowFields = fields(
        scripts: "; form-action 'self'",
        referrerPolicy: "same-origin",
        styleSheet: PageTemplates.flowStyleSheet
    )

    /// The policy of a sign-in in one file: its own style sheet and nothing else.
    static let flowFilePolicy =
        "default-src 'none'; style-src '\(hash(of: PageTemplates.flowStyleSheet))'"
        + "; base-uri 'none'; form-action 'none'"
}
