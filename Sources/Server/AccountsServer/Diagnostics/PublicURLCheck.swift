import Foundation
import HTTPTypes
import SignInWithApple

/// Checks that requests reach the running server with the host of its public URL.
struct PublicURLCheck {
    let publicURL: String
    let transport: AppleTransport

    func finding() async -> DiagnosticFinding {
        let check = Check("public URL")
        let status: HTTPResponse.Status
        do {
            status = try await transport.send(request, body: Data()).head.status
        } catch {
            return check.unchecked("no response from \(publicURL); is the server running?")
        }
        switch status {
        case .seeOther: return check.ok("\(publicURL) leads to this server")
        case .misdirectedRequest:
            return check.failure(
                "the server at \(publicURL) gets requests with another Host; the proxy must pass it "
                    + "unchanged (nginx: proxy_set_header Host $http_host), or SIWA_PUBLIC_URL is wrong"
            )
        default:
            return check.unchecked(
                "\(publicURL) responds with \(status.code); is the server running?"
            )
        }
    }

    /// A sign-in that was redirected already: the server redirects it to Apple, or refuses its host.
    private var request: HTTPRequest {
        .reading("\(WebPath.signInApple)?\(RedirectToPublicHost.marker)=1", at: publicURL)
    }
}
