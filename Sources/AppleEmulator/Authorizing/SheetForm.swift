import Foundation
import HTTPTypes

/// A form of the sheet as the browser sent it.
struct SheetForm {
    let fields: FormFields
    /// The transaction it belongs to.
    let identifier: String
    let request: HTTPRequest
    let time: Date
    /// Whether the browser came by https.
    var isSecure = false
}
