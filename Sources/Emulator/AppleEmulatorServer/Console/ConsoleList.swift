import AppleEmulatorPages
import AppleIdentity

/// A list of the console, filtered by the query and shown in pages, the latest entries first.
struct ConsoleList {
    /// A field of the filter form, and whether an entry matches its value.
    struct Filter {
        let field: ConsoleField
        let accepts: (_ entry: JSONObject, _ value: String) -> Bool
    }

    private let section: ConsoleSection
    private let filters: [(filter: Filter, value: String)]
    private let paging: ConsolePaging
    private let isOfCheck: Bool

    init(_ section: ConsoleSection, _ filters: [Filter], _ visit: ConsoleVisit) {
        self.section = section
        self.filters = filters.map { (filter: $0, value: visit.query($0.field.name)) }
        paging = ConsolePaging(section, visit, keeping: filters.map(\.field.name))
        isOfCheck = visit.isOfCheck
    }

    private var isFiltered: Bool { filters.contains { !$0.value.isEmpty } }

    /// The shown entries, their range with links to its neighbours, and the filter form.
    ///
    /// - Parameters:
    ///   - entries: all entries, the oldest first.
    ///   - name: the member of the shown entries.
    ///   - row: an entry as the template shows it.
    /// - Returns: the members of the page's content.
    func content(
        of entries: [JSONObject],
        named name: String,
        row: (JSONObject) -> JSONObject
    ) -> JSONObject {
        let found = entries.reversed().filter { entry in
            filters.allSatisfy { filter, value in
                value.isEmpty || filter.field.offers(value) && filter.accepts(entry, value)
            }
        }
        var content = paging.content(total: found.count)
        content[name] = .list(paging.part(of: found).map(row))
        content["is_filtered"] = .boolean(isFiltered)
        content["filter"] = .object(form)
        return content
    }

    private var form: JSONObject {
        [
            "path": .string(section.path), "is_filtered": .boolean(isFiltered),
            "of_check": .boolean(isOfCheck),
            "fields": .list(
                filters.map { filter, value in
                    var field = filter.field
                    field.value = value
                    let isKnown = value.isEmpty || field.offers(value)
                    return field.content(
                        id: "filter-\(field.name)",
                        filledWith: nil,
                        problem: isKnown ? nil : "this value is unknown, so nothing matches"
                    )
                }
            ),
        ]
    }
}

/// The part of a list that a page shows, which begins at an entry that the query names.
struct ConsolePaging {
    static let maximumCount = 50

    private let path: String
    private let parameters: [(name: String, value: String)]
    /// The number of entries before this page.
    let start: Int

    /// Reads the start, and the other parameters that the links keep.
    init(_ section: ConsoleSection, _ visit: ConsoleVisit, keeping names: [String]) {
        path = section.path
        parameters = (names + ["of_check"]).map { (name: $0, value: visit.query($0)) }
            .filter { !$0.value.isEmpty }
        start = max(Int(visit.query("from")) ?? 0, 0)
    }

    func part(of entries: [JSONObject]) -> [JSONObject] {
        Array(entries.dropFirst(start).prefix(Self.maximumCount))
    }

    /// The range in words and the links to the pages before and after; empty for a short list.
    func content(total: Int) -> JSONObject {
        let first = min(start, total)
        let end = first + min(Self.maximumCount, total - first)
        guard first > 0 || end < total else { return JSONObject() }
        return [
            "range": .string("\(first < end ? first + 1 : 0)–\(end) / \(total)"),
            "previous": first > 0 ? link(max(first - Self.maximumCount, 0)) : .null,
            "next": end < total ? link(end) : .null,
        ]
    }

    private func link(_ start: Int) -> JSONValue {
        let all = parameters + [(name: "from", value: String(start))]
        let pairs = all.map { "\($0.name)=\(ConsoleText.pathPart($0.value))" }
        return .string(path + "?" + pairs.joined(separator: "&"))
    }
}
