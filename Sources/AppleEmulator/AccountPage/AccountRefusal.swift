import HTTPTypes

/// Why the account page does not do what it was asked.
struct AccountRefusal: Error {
    /// What the person reads.
    let text: AccountText.Word
    /// The cause in words, for the request log and the emulator's hint.
    let reason: String
    let status: HTTPResponse.Status

    init(_ text: AccountText.Word, reason: String, status: HTTPResponse.Status = .badRequest) {
        self.text = text
        self.reason = reason
        self.status = status
    }
}
