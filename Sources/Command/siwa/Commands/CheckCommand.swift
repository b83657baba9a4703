import AppleIdentity
import ArgumentParser
import Foundation
import SignInChecks

/// `siwa check`: attacks on the user's own server.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Attack your own server's sign-in, and report which checks pass.",
        discussion: """
            The server must use the emulator in place of Apple. The check leaves test accounts on the server, so use it \
            only on a test server. Exit codes: 0 no check failed, 1 a check failed or ended with an error, 2 wrong usage.
            """
    )

    enum Format: String, CaseIterable, ExpressibleByArgument {
        case table, json, junit
    }

    @Argument(help: "The URL where the sign-in begins, or of a page that leads there.")
    var url: String?

    @Option(help: "The path where the sign-in begins, if it is not <url>.")
    var start: String?

    @Option(help: "A page or route, as path or URL, that shows which user is signed in.")
    var signedIn = "/"

    @Option(
        help: """
            The request that deletes the signed-in user's account, as 'METHOD PATH'; GET submits the page's form.
            """
    )
    var delete: String?

    @Option(
        help: """
            A request that unlinks the signed-in user's Apple Account, as 'METHOD PATH [JSON]'; repeatable, sent in \
            order. Each {random} in JSON becomes random letters.
            """
    )
    var unlink: [String] = []

    @Option(
        help: """
            The request that signs in with a token of an app or of Apple's popup, as 'METHOD URL JSON'; in JSON, \
            {identityToken}, {code}, {redirectURI} and {nonce} are replaced. Without <url>, only this API is examined.
            """
    )
    var api: String?

    @Option(help: "The bundle ID of the app whose tokens --api takes.")
    var nativeClient: String?

    @Option(
        help:
            "The request for a nonce of the server, as 'METHOD PATH'; the response has the member nonce."
    )
    var nonces: String?

    @Option(help: "The path to which Apple posts the form of an Android app.")
    var android: String?

    @Option(help: "Another parameter with the path to return to after a sign-in; repeatable.")
    var returnParameter: [String] = []

    @OptionGroup(title: "Apple")
    var apple: CheckedApple

    @Option(help: "Run only this check; repeatable.") var only: [String] = []

    @Option(
        help: "Accept the failure of a check, as 'NAME=REASON'; repeatable. The report keeps it."
    )
    var accept: [String] = []

    @Option(help: "The output format.") var format = Format.table

    @Flag(help: "List the checks without running them.") var list = false

    func run() async throws {
        let checks = try chosenChecks()
        guard !list else { return show(checks) }
        let accepted = try acceptedReasons()
        let (start, signedIn) = (try startURL(), try resolved(signedIn, "--signed-in"))
        try requireSubject(of: checks)
        let (deletion, unlinking) = (try deletion(), try unlinking())
        let (tokenSignIn, nonces) = (try tokenSignIn(), try nonceRequest())
        let android = try android.map { try resolved($0, "--android") }
        let report = try await apple.serving { control, apple in
            var target = CheckTarget(start: start, whoAmI: signedIn, control: control)
            target.apple = apple
            target.deletion = deletion
            target.unlinking = unlinking
            (target.tokenSignIn, target.nonces, target.android) = (tokenSignIn, nonces, android)
            (target.nativeClient, target.hasWebSignIn) = (nativeClient, url != nil)
            target.returnParameters = returnParameter
            target.accepted = accepted
            return try await examine(target, checks)
        }
        write(report)
        if !report.allHold { throw ExitCode(1) }
    }

    private func examine(
        _ target: CheckTarget,
        _ checks: [SignInCheck]
    ) async throws -> CheckReport {
        let (console, isTable) = (Terminal(), format == .table)
        let run = CheckRun(target: target, checks: checks)
        do {
            return try await Program.untilSignal {
                try await run.run { result in
                    guard isTable else { return console.writeProgress(result.check.name) }
                    for line in result.lines {
                        console.write(TerminalText.visible(line.text), after: line.start)
                    }
                }
            }
        } catch let error as CheckError {
            // Programs that read the report need the error in it.
            if !isTable { write(run.report(of: error)) }
            throw CommandFailure(Finding.printable(error.message), hint: error.hint)
        }
    }

    private func write(_ report: CheckReport) {
        switch format {
        case .table: Terminal().write(report.summary)
        case .json: Terminal().write(json: report.json)
        case .junit: Terminal().write(report.junit)
        }
    }

    private func show(_ checks: [SignInCheck]) {
        for check in checks {
            Terminal().write("\(check.attempt); \(check.expectation)", after: "\(check.name): ")
        }
    }

    private func chosenChecks() throws -> [SignInCheck] {
        let names = Set(SignInCheck.all.map(\.name))
        guard let unknown = only.first(where: { !names.contains($0) }) else {
            guard only.isEmpty else { return SignInCheck.all.filter { only.contains($0.name) } }
            return url == nil && api != nil ? SignInCheck.posted : SignInCheck.all
        }
        throw CommandFailure.usage(
            "there is no check \(unknown.debugDescription)",
            hint: "siwa check --list prints their names"
        )
    }

    /// Without <url>, requires the app of --api, and a check of the API.
    private func requireSubject(of checks: [SignInCheck]) throws {
        guard url == nil else { return }
        guard nativeClient != nil else {
            throw CommandFailure.usage(
                "without <url>, --api is examined only with --native-client",
                hint: "give --native-client the bundle ID of the app whose tokens --api takes"
            )
        }
        let names = Set(SignInCheck.posted.map(\.name))
        guard !checks.contains(where: { names.contains($0.name) }) else { return }
        throw CommandFailure.usage(
            "the checks of --only need the sign-in in a browser",
            hint: "give the URL of the sign-in, or --only the name of a check that begins with api-"
        )
    }

    /// The reasons of --accept by the names of checks.
    private func acceptedReasons() throws -> [String: String] {
        var reasons: [String: String] = [:]
        for text in accept {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, SignInCheck.all.contains(where: { $0.name == parts[0] }) else {
                throw CommandFailure.usage(
                    "\(text.debugDescription) is not the name of a check and a reason",
                    hint: "give --accept 'state-sent=the gateway adds it'; --list prints the names"
                )
            }
            reasons[parts[0]] = parts[1]
        }
        return reasons
    }

    private func startURL() throws -> URL {
        // The API's URL is the only one that an examination without a browser needs.
        let only = api?.split(separator: " ", maxSplits: 2).dropFirst().first.map(String.init)
        guard let url = url ?? only else {
            throw CommandFailure.usage(
                "the server's URL is missing",
                hint: "give the URL of the sign-in: siwa check http://localhost:8080/sign-in"
            )
        }
        let address = try URL.server(
            url,
            orUsage: "\(url.debugDescription) is not a URL",
            hint:
                "give one such as http://localhost:8080/sign-in; without <url>, the whole URL in --api"
        )
        return try start.map { try resolved($0, "--start", from: address) } ?? address
    }

    private func resolved(_ text: String, _ option: String, from given: URL? = nil) throws -> URL {
        let base = try given ?? startURL()
        let address = text.isEmpty ? nil : URL(string: text, relativeTo: base)
        return try .server(
            address?.absoluteString ?? "",
            orUsage: "\(text.debugDescription) is neither a path nor a URL",
            hint: "give \(option) a path such as /account"
        )
    }

    private func deletion() throws -> CheckRequest? {
        let hint = "give --delete 'DELETE /account', or 'GET PATH' of the page with the form"
        return try delete.map { text in
            try request(text, "--delete", ["GET", "POST", "PUT", "DELETE"], hint: hint)
        }
    }

    private func unlinking() throws -> [CheckRequest] {
        let hint = "give --unlink 'DELETE /account/apple', or 'POST PATH {\"name\": \"value\"}'"
        return try unlink.map { text in
            try request(text, "--unlink", ["POST", "PUT", "DELETE"], hint: hint)
        }
    }

    private func tokenSignIn() throws -> CheckRequest? {
        let hint =
            #"give --api 'POST /api/sessions/apple {"identityToken": "{identityToken}"}', with a whole URL without <url>"#
        let places = ["identityToken", "token", "code"].flatMap { ["{\($0)}", "%\($0)%"] }
        return try api.map { text in
            let made = try request(text, "--api", ["POST", "PUT"], hint: hint)
            guard let body = made.body, places.contains(where: { body.contains($0) }) else {
                throw CommandFailure.usage(
                    "the body of --api has neither {identityToken} nor {code}",
                    hint: hint
                )
            }
            return made
        }
    }

    private func nonceRequest() throws -> CheckRequest? {
        let hint = "give --nonces 'POST /api/nonces'"
        return try nonces.map { try request($0, "--nonces", ["GET", "POST"], hint: hint) }
    }

    /// Reads 'METHOD PATH', and for `--unlink` and `--api` a body after it.
    private func request(
        _ text: String,
        _ option: String,
        _ methods: Set<String>,
        hint: String
    ) throws -> CheckRequest {
        let parts = text.split(separator: " ", maxSplits: 2).map(String.init)
        let hasBody = ["--unlink", "--api"].contains(option)
        guard parts.count == 2 && option != "--api" || parts.count == 3 && hasBody,
            methods.contains(parts[0])
        else {
            throw CommandFailure.usage(
                "\(text.debugDescription) is not a method and a path",
                hint: hint
            )
        }
        return CheckRequest(
            method: parts[0],
            url: try resolved(parts[1], option),
            body: parts.count == 3 ? parts[2] : nil
        )
    }
}
