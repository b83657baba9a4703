import Accounts
import AppleIdentity
import HTTPTypes
import Hummingbird
import NIOCore
import SignInWithAppleHummingbird

/// Backs up the database while the server runs.
///
/// The response has one line for each part of the backup, and a last line with the result.
struct BackupRoute: Sendable {
    let accounts: AccountsService
    let time: TimeSource

    func answer(_ request: Request) async throws -> Response {
        let names = ["file", "replaces"]
        let fields = try await AdministrationRoutes.fields(of: request, names, time)
        let file = try fields.text("file")
        let replaces = try fields.optionalBoolean("replaces") ?? false
        let administrator = AdministrationRoutes.administrator(of: request)
        return Response(
            status: .ok,
            headers: [.contentType: "application/x-ndjson"],
            body: ResponseBody { writer in
                let (parts, continuation) = AsyncStream<BackupProgress>
                    .makeStream(bufferingPolicy: .bufferingNewest(1))
                let order = BackupOrder(path: file, replaces: replaces) { part in
                    // The client has disconnected, so the backup is cancelled.
                    if case .terminated = continuation.yield(part) { throw CancellationError() }
                }
                let copying = Task { await lastLine(of: order, administrator, continuation) }
                do {
                    for await part in parts { try await writer.write(Self.line(part)) }
                } catch {
                    continuation.finish()
                    _ = await copying.value
                    throw error
                }
                try await writer.write(await copying.value)
                try await writer.finish(nil)
            }
        )
    }

    private func lastLine(
        of order: BackupOrder,
        _ administrator: String,
        _ parts: AsyncStream<BackupProgress>.Continuation
    ) async -> ByteBuffer {
        defer { parts.finish() }
        do {
            let report = try await accounts.backUp(order, by: administrator)
            return Self.line([
                "bytes": .integer(report.byteCount), "accounts": .integer(report.accountCount),
            ])
        } catch {
            return Self.line(["problem": .object(ServerError(any: error).administratorsProblem)])
        }
    }

    private static func line(_ part: BackupProgress) -> ByteBuffer {
        line(["copied": .integer(part.copiedPageCount), "pages": .integer(part.pageCount)])
    }

    private static func line(_ object: JSONObject) -> ByteBuffer {
        ByteBuffer(string: object.text + "\n")
    }
}
