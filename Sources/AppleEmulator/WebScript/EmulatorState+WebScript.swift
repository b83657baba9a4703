import AppleIdentity
import Foundation
import HTTPTypes

extension EmulatorState {
    /// Where the script stands, for every locale.
    static let scriptFolder = "/appleauth/static/jsapi/appleid/1/"
    private static let scriptName = "/appleid.auth.js"

    /// Answers with the script or a picture of the button; nil at any other path.
    func webResource(_ request: HTTPRequest, path: String, query: String) -> Outcome? {
        let style = ButtonStyle(rawValue: path)
        let isScript = path.hasPrefix(Self.scriptFolder) && path.hasSuffix(Self.scriptName)
        guard style != nil || isScript else { return nil }
        guard request.method == .get || request.method == .head else {
            return .methodNotAllowed(request, allowed: "GET")
        }
        do throws(OAuthRefusal) {
            guard let style else { return try script(at: path) }
            let picture = try ButtonPicture(style, FormFields(parsing: query.utf8))
            var outcome = Outcome.page(.button(picture))
            if picture.isNarrow {
                outcome.remark.add(
                    hint: "the Human Interface Guidelines ask for"
                        + " \(ButtonPicture.minimumGuidelineWidth) points at least"
                )
            }
            return outcome
        } catch {
            return .refusal(OAuthRefusal(.notFound, reason: error.reason, status: .notFound))
        }
    }

    private func script(at path: String) throws(OAuthRefusal) -> Outcome {
        let locale = path.dropFirst(Self.scriptFolder.count).dropLast(Self.scriptName.count)
        guard ButtonLocale.names.contains(String(locale)) else {
            throw OAuthRefusal(
                .notFound,
                reason: "the script has no locale \"\(locale.prefix(32))\""
            )
        }
        return .page(.script(locale: String(locale)))
    }
}
