import HTTPTypes

/// Knows which methods a path has, to tell an unknown path from a wrong method.
struct RouteTable: Sendable {
    private let methodsByPath: [[Substring]: [String]]

    init(_ routes: [Route]) {
        methodsByPath = routes.reduce(into: [:]) { methods, route in
            let path = Self.segments(route.path)
            methods[path, default: []].append(route.method.rawValue)
            // The router answers HEAD wherever it answers GET.
            if route.method == .get { methods[path, default: []].append("HEAD") }
        }
    }

    /// The methods of a path in order; none when the path is unknown.
    func methods(for path: String) -> [String] {
        let segments = Self.segments(path)
        let matching = methodsByPath.filter { Self.matches($0.key, segments) }
        return Set(matching.values.joined()).sorted()
    }

    private static func segments(_ path: String) -> [Substring] {
        path.split(separator: "/")
    }

    private static func matches(_ pattern: [Substring], _ segments: [Substring]) -> Bool {
        pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
