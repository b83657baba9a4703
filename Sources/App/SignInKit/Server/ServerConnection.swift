import AppleIdentity
import Foundation

/// Speaks JSON with the accounts server.
struct ServerConnection: Sendable {
    let configuration: SignInConfiguration
    let transport: any ServerTransport
    let time: TimeSource
    var log = KitLog.system

    /// Sends a call with the session's token, again where it may be repeated, and reads the response.
    ///
    /// A response without content is an empty object.
    func send<Answer>(
        _ call: ServerCall<Answer>,
        token: String? = nil
    ) async throws(ServerFailure) -> Answer {
        let request = try request(for: call, token)
        var attempt = 1
        while true {
            do throws(ServerFailure) {
                let answer = try Self.read(try await exchange(request), call)
                log.write("\(call.name): done")
                return answer
            } catch {
                // Not the server's message, which may have what the user entered.
                let failure = SignInKitError(error)
                log.write("\(call.name): \(failure.code): \(failure.hint)", .error)
                let delay = Backoff.delay(
                    afterAttempt: attempt,
                    atLeastSeconds: error.problem?.retryAfter
                )
                guard error.isRetryable, error != .cancelled, attempt < call.attemptCount,
                    delay <= SignInLimits.longestInlineWait,
                    (try? await time.sleep(for: delay)) != nil
                else { throw error }
                attempt += 1
            }
        }
    }

    private static func read<Answer>(
        _ fields: JSONFields,
        _ call: ServerCall<Answer>
    ) throws(ServerFailure) -> Answer {
        do throws(JSONFieldError) {
            return try call.read(fields)
        } catch {
            throw .unexpected("in the response: \(error)")
        }
    }

    private func exchange(_ request: ServerRequest) async throws(ServerFailure) -> JSONFields {
        let answer: ServerAnswer
        do throws(TransportFailure) {
            answer = try await transport.send(request)
        } catch {
            throw Self.failure(error)
        }
        switch answer.status {
        case 200..<300: return try Self.fields(of: answer)
        case 408, 429, 500...: throw .unavailable(ServerProblem(answer))
        case 400..<500: throw .refused(ServerProblem(answer))
        default: throw .unexpected("the server answered \(answer.status)")
        }
    }

    private static func fields(of answer: ServerAnswer) throws(ServerFailure) -> JSONFields {
        guard !answer.body.isEmpty else { return JSONFields(JSONObject()) }
        guard let object = try? JSONObject(parsing: answer.body) else {
            throw .unexpected("the response is not a JSON object")
        }
        return JSONFields(object)
    }

    private static func failure(_ failure: TransportFailure) -> ServerFailure {
        switch failure {
        case .unreachable(let hint): .unreachable(hint)
        case .timedOut: .unreachable("the request timed out")
        case .cancelled: .cancelled
        case .tooLarge: .unexpected("the answer is too large")
        }
    }

    private func request<Answer>(
        for call: ServerCall<Answer>,
        _ token: String?
    ) throws(ServerFailure) -> ServerRequest {
        guard Self.isSecure(configuration.server) else { throw .insecure }
        var headers = ["Accept": "application/json", "User-Agent": deviceName]
        headers["Authorization"] = token.map { "Bearer " + $0 }
        if call.body != nil { headers["Content-Type"] = "application/json" }
        return ServerRequest(
            method: call.method,
            url: call.path.reduce(configuration.server) { $0.appending(component: $1) },
            headers: headers,
            body: call.body.map { $0.data },
            timeLimit: call.timeLimit
        )
    }

    /// Tokens are sent only over `https`, or to this machine.
    static func isSecure(_ url: URL) -> Bool {
        guard let host = url.host(percentEncoded: false), !host.isEmpty else { return false }
        return switch url.scheme?.lowercased() {
        case "https": true
        case "http": LoopbackHost.contains(host)
        default: false
        }
    }

    private var deviceName: String {
        configuration.deviceName.flatMap(DeviceName.checked) ?? DeviceName.standard
    }
}
