import HTTPTypes

/// A browser on the account page: it keeps its cookies and sends forms as they are shown.
struct AccountBrowser {
    static let session = "emulated-apple-account"

    let box: Box
    /// Its `Accept-Language`.
    var language = "en"
    private(set) var cookies: [String: String] = [:]

    init(_ box: Box) { self.box = box }

    var cookieField: String {
        cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
    }

    mutating func open(_ path: String, method: HTTPRequest.Method = .get) async -> Reply {
        await send(method, path)
    }

    /// Sends the only form, or the form to a path, with its hidden fields and what is typed.
    mutating func submit(
        _ page: Reply,
        to path: String,
        _ fields: [String: String] = [:],
        headers: HTTPFields = [:]
    ) async -> Reply {
        await post(path, page.hiddenFields.merging(fields) { $1 }, headers: headers)
    }

    mutating func post(
        _ path: String,
        _ fields: [String: String],
        headers: HTTPFields = [:]
    ) async -> Reply {
        await send(.post, path, body: Box.encode(fields), headers: headers)
    }

    mutating func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: String = "",
        headers: HTTPFields = [:]
    ) async -> Reply {
        var headers = headers
        headers[.acceptLanguage] = language
        if !cookies.isEmpty { headers[.cookie] = cookieField }
        let reply = await box.send(method, path, body: body, headers: headers, from: CookieJar())
        keep(reply)
        return reply
    }

    private mutating func keep(_ reply: Reply) {
        guard let parts = reply.cookie?.split(separator: "=", maxSplits: 1) else { return }
        cookies[String(parts[0])] = parts.count > 1 ? String(parts[1]) : nil
    }

    /// Sends the sign-in form.
    mutating func signIn(
        _ page: Reply,
        _ email: String = Box.maya,
        password: String = "apple"
    ) async -> Reply {
        await submit(page, to: "/account/sign-in", ["email": email, "password": password])
    }

    /// Signs in a person without a second factor; what the account page shows then.
    mutating func signIn(_ email: String = Box.maya) async -> Reply {
        let answer = await signIn(await open("/account"), email)
        return await open(answer.header("Location") ?? "")
    }
}
