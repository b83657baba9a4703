import Foundation
import Testing

@testable import AppleEmulator

@Suite struct SheetRendererTests {
    let renderer: SheetRenderer

    init() throws {
        renderer = try SheetRenderer()
    }

    @Test func writesSamples() throws {
        guard let folder = ProcessInfo.processInfo.environment["SHEET_SAMPLES"] else { return }
        for (name, page) in SheetSamples.all {
            try renderer.render(page).write(
                toFile: "\(folder)/\(name).html",
                atomically: true,
                encoding: .utf8
            )
        }
        try renderer.render(SheetSamples.console).write(
            toFile: "\(folder)/console.html",
            atomically: true,
            encoding: .utf8
        )
    }
}
