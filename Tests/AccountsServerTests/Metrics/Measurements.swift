import HTTPTypes
import HummingbirdTesting
import Testing

/// The values of `GET /metrics`, by name and labels as they are written.
struct Measurements: Sendable {
    let values: [String: Double]

    init(_ text: String) throws {
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let end = try #require(line.lastIndex(of: " "))
            let value = try #require(Double(line[line.index(after: end)...]), "\(line)")
            #expect(values.updateValue(value, forKey: String(line[..<end])) == nil, "\(line)")
        }
        self.values = values
    }

    subscript(series: String) -> Double { values[series] ?? 0 }
}

extension TestServer {
    func measurements() async throws -> Measurements {
        let answer = try await send(.get, "/metrics")
        #expect(answer.status == .ok)
        return try Measurements(answer.text)
    }

    /// The increase of each series that has grown.
    func growth(_ body: () async throws -> Void) async throws -> [String: Double] {
        let before = try await measurements()
        try await body()
        let after = try await measurements()
        return after.values.compactMapValues(\.self)
            .reduce(into: [:]) { growth, series in
                let amount = series.value - before[series.key]
                if amount != 0 { growth[series.key] = amount }
            }
    }
}
