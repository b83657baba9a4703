import Foundation

/// Apple's authorization response, which the browser delivers to the server.
struct AppleAnswer: Sendable {
    let url: URL
    /// Whether it is a form of Apple's page; otherwise it is the query of a redirect.
    let isForm: Bool
    var fields: [WebField]

    var code: String? { fields["code"] }
    var identityToken: String? { fields["id_token"] }
    var state: String? { fields["state"] }

    /// Parses the response of `/auth/authorize`; nil if it is a page for the user.
    init?(_ answer: WebAnswer) {
        if let location = answer.location {
            let fields = WebAddress.fields(of: location.query(percentEncoded: true))
            var components = URLComponents(url: location, resolvingAgainstBaseURL: true)
            components?.query = nil
            guard fields["state"] ?? fields["code"] ?? fields["error"] != nil,
                let url = components?.url
            else { return nil }
            self.init(url: url, isForm: false, fields: fields)
            return
        }
        let form = WebPage(answer.text).forms.first
        guard let form, form.fields["code"] ?? form.fields["error"] != nil,
            let url = URL(string: form.action), url.host() != nil
        else { return nil }
        self.init(url: url, isForm: true, fields: form.fields)
    }

    private init(url: URL, isForm: Bool, fields: [WebField]) {
        self.url = url
        self.isForm = isForm
        self.fields = fields
    }
}
