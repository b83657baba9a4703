import Accounts
import Foundation
import HTMLPages
import Hummingbird
import Mustache
import SignInWithAppleHummingbird

/// Draws the pages; every value in them is escaped by the templates.
struct PageRenderer: Sendable {
    private enum Template: String {
        case account, deletion, refusal, signIn
    }

    let assets = PageAssets()
    private let appName: String
    private let library: MustacheLibrary

    init(appName: String) throws {
        self.appName = appName
        let sources: [String: [UInt8]] = [
            "layout": PackageResources.layout_mustache,
            "appleButton": PackageResources.appleButton_mustache,
            Template.account.rawValue: PackageResources.account_mustache,
            Template.deletion.rawValue: PackageResources.deletion_mustache,
            Template.refusal.rawValue: PackageResources.refusal_mustache,
            Template.signIn.rawValue: PackageResources.signIn_mustache,
        ]
        library = try MustacheLibrary(pages: sources)
    }

    func signIn(notice: Notice?, hasAppleButton: Bool) throws -> Response {
        try page(
            .signIn,
            title: "Sign in",
            [
                "notice": notice?.text,
                "appleButton": hasAppleButton ? WebPath.signInApple : nil,
            ]
        )
    }

    func account(
        _ visitor: SignedInSession,
        sessions: [Session],
        isSaved: Bool = false,
        refusedName: (text: String, error: ServerError)? = nil,
        now: Date
    ) throws -> Response {
        try page(
            .account,
            title: refusedName == nil ? "Your account" : "Error: your account",
            AccountPage(
                visitor: visitor,
                sessions: sessions,
                isSaved: isSaved,
                refusedName: refusedName,
                now: now
            )
            .values
        )
    }

    func deletion(_ account: Account, isRecent: Bool) throws -> Response {
        try page(
            .deletion,
            title: "Delete your account",
            [
                "isRecent": isRecent,
                "appleButton": WebPath.signInApple(returningTo: WebPath.deletion),
                "name": account.name,
                "email": account.email?.text,
                "hasApple": account.apple != nil,
            ]
        )
    }

    func refusal(_ error: ServerError) throws -> Response {
        var response = try page(
            .refusal,
            title: RefusalPage.title(error),
            RefusalPage.values(error)
        )
        response.status = error.status
        for field in error.headers { response.headers.append(field) }
        return response
    }

    private func page(
        _ template: Template,
        title: String,
        _ values: [String: Any?]
    ) throws -> Response {
        var context = values.compactMapValues { $0 }
        context["title"] = title
        context["appName"] = appName
        context["styleSheet"] = assets.styleSheet.path
        context["mark"] = assets.mark.path
        guard let html = library.render(context, withTemplate: template.rawValue) else {
            throw ServerError(
                "internal_error",
                .internalServerError,
                "The server has made a mistake.",
                hint: "there is no template \(template.rawValue)"
            )
        }
        return .page(html)
    }
}
