import AccountsServer
import Foundation
import Testing

enum AccountsServerOrigins {
    /// A second origin of the server, on this machine.
    static func local() throws -> WebOrigin {
        try WebOrigin(
            publicURL: try #require(URL(string: "http://localhost")),
            appleBrowserURL: try #require(URL(string: "http://localhost:8081"))
        )
    }
}
