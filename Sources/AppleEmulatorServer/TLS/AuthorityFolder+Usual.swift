import Foundation

extension AuthorityFolder {
    /// The folder of the person who runs this, the same for every start, so that clients trust it
    /// once.
    package static func usual(
        in environment: [String: String]
    ) throws(TLSFailure) -> AuthorityFolder {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") {
            return AuthorityFolder(path: data + "/siwa/tls")
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else {
            throw TLSFailure(
                message: "there is no home folder for the certificate authority",
                hint: "name a folder with --tls-data"
            )
        }
        #if os(macOS)
            return AuthorityFolder(path: home + "/Library/Application Support/siwa/tls")
        #else
            return AuthorityFolder(path: home + "/.local/share/siwa/tls")
        #endif
    }
}
