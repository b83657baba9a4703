import Foundation
import SignInWithApple

/// One sign-in under way in one tab: what was sent to Apple, kept by the browser, sealed.
package struct Ceremony<Note: Codable & Sendable>: Codable, Sendable {
    package let state: CeremonyState
    package let nonce: String
    package let redirectURI: String
    /// What the server wants to know again when the answer comes.
    package let note: Note

    package init(redirectURI: String, note: Note, now: Date) {
        state = CeremonyState(now: now)
        nonce = SecureRandom.hexadecimal(byteCount: 32)
        self.redirectURI = redirectURI
        self.note = note
    }
}
