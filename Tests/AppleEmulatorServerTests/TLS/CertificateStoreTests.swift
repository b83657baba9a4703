import AppleIdentity
import Foundation
import Testing
import X509

@testable import AppleEmulatorServer

@Suite struct CertificateStoreTests {
    @Test func theCertificateIsMadeAnewInTime() throws {
        let start = Date()
        let time = ManualTime(now: start)
        let authority = try LocalAuthority.make(at: start)
        let store = try CertificateStore(authority: authority, time: time.source)
        let first = try store.current().certificate
        time.advance(bySeconds: 14 * 86_400)
        #expect(try store.current().certificate == first)
        time.advance(bySeconds: 2 * 86_400)
        let second = try store.current().certificate
        #expect(second != first)
        #expect(second.notValidAfter > start.addingTimeInterval(45 * 86_400))
        // A clock that was far ahead is set right.
        time.set(now: start)
        #expect(try store.current().certificate.notValidBefore < start)
    }
}
