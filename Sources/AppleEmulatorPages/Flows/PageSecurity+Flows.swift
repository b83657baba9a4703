import HTTPTypes

extension PageSecurity {
    /// Keeps a page of sign-ins up to date.
    static let flowScript = String(decoding: PackageResources.flow_js, as: UTF8.self)

    /// For the pages of sign-ins: one script, allowed by hash, which asks this port again.
    package static let flowFields = fields(
        scripts: "; script-src '\(hash(of: flowScript))'; connect-src 'self'; form-action 'none'",
        referrerPolicy: "no-referrer",
        styleSheet: PageTemplates.flowStyleSheet
    )

    /// For pages of the console that draw parts of sign-ins: no script, and forms that lead nowhere
    /// else.
    package static let consoleFlowFields = fields(
        scripts: "; form-action 'self'",
        referrerPolicy: "same-origin",
        styleSheet: PageTemplates.flowStyleSheet
    )

    /// For a sign-in in one file, wherever it is opened: its own style and nothing else.
    static let flowFilePolicy =
        "default-src 'none'; style-src '\(hash(of: PageTemplates.flowStyleSheet))'"
        + "; base-uri 'none'; form-action 'none'"
}
