import AccountStoreConformance
import Accounts
import AccountsSQLite
import AppleIdentity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServerTestSupport
import SignInWithApple
import TestSupport
import Testing

@testable import AccountsServer

/// The routes of the administration socket, on a store of the test.
struct AdministrationPort: Sendable {
    let store: AccountStore
    let log: LogRecorder
    let folder: URL
    private let client: any TestClientProtocol

    static let lending = Lending { body in
        try await withTemporaryFolder { folder in
            let store = try AccountStore(
                SQLiteDatabase(path: folder.appending(path: "siwa.sqlite").path())
            )
            let log = LogRecorder()
            let time = ManualTime(now: SampleSignIn.start).source
            let accounts = AccountsService(
                store: store,
                sealer: try TokenSealer(keys: TokenSealer.makeKey(identifier: "k1")),
                time: time,
                logger: log.logger
            )
            let routes = AdministrationRoutes(accounts: accounts, time: time)
            try await Application(router: routes.router()).test(.router) { client in
                try await body(Self(store: store, log: log, folder: folder, client: client))
            }
            try store.close()
        }
    }

    static var lent: AdministrationPort { get throws { try lending.value } }

    /// Sends a request; returns the response's status and last line.
    func ask(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ content: String? = nil
    ) async throws -> (status: Int, body: JSONObject) {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[try #require(HTTPField.Name("Administrator"))] = "Eve\u{7}"
        let response = try await client.executeRequest(
            uri: path,
            method: method,
            headers: headers,
            body: content.map { ByteBuffer(string: $0) }
        )
        let lines = String(buffer: response.body).split(separator: "\n")
        return (response.status.code, try JSONObject(parsing: Data((lines.last ?? "{}").utf8)))
    }
}
