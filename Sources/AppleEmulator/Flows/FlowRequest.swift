import Foundation

/// A request to Apple's port and its answer, as cheaply as they can be kept.
///
/// Bodies are read when somebody looks, and then without their secrets.
struct FlowRequest {
    /// The longest query or body that is kept, in bytes.
    static let maximumBodyByteCount = 16 * 1024

    /// The parameters that came with a request.
    enum Parameters {
        /// A form or query, still encoded.
        case encoded(Data)
        /// Those of the sheet that are no secret: a password is not kept even for a moment.
        case plain([FlowField])
        /// None that can be shown: the form was too long.
        case tooLong(byteCount: Int)

        var byteCount: Int {
            switch self {
            case .encoded(let data): data.count
            case .plain(let fields):
                fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
            case .tooLong: 0
            }
        }
    }

    let method: String
    let path: String
    let parameters: Parameters
    /// nil when the connection was closed without an answer.
    let status: Int?
    /// The answer's body where it is no page.
    let answer: Data?
    let remark: Remark
    /// What the sheet asked in answer.
    var prompt: SheetPage.Prompt?

    var byteCount: Int {
        method.utf8.count + path.utf8.count + parameters.byteCount + (answer?.count ?? 0)
            + remark.byteCount
    }
}
