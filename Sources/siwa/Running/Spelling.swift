/// Which word somebody may have meant.
enum Spelling {
    /// How many letters may be wrong at most.
    private static let maximumDistance = 2

    /// The word that needs the fewest changes, else one that begins with what was typed.
    ///
    /// - Returns: nil when no word is near.
    static func nearest(to typed: String, among words: [String]) -> String? {
        let near = words.map { (word: $0, distance: distance(Array(typed), Array($0))) }
            .filter { $0.distance <= min(maximumDistance, typed.count / 2) }
            .min { $0.distance < $1.distance }
        if let near { return near.word }
        return typed.count >= 2 ? words.first { $0.hasPrefix(typed) } : nil
    }

    /// How many letters must be changed, added, taken away or swapped with their neighbour.
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var rows = [Array(0...second.count)]
        for row in 1..<(first.count + 1) {
            var current = [row]
            for column in 1..<(second.count + 1) {
                let isSame = first[row - 1] == second[column - 1]
                var best = min(
                    rows[row - 1][column] + 1,
                    current[column - 1] + 1,
                    rows[row - 1][column - 1] + (isSame ? 0 : 1)
                )
                let isSwapped =
                    row > 1 && column > 1 && first[row - 1] == second[column - 2]
                    && first[row - 2] == second[column - 1]
                if isSwapped { best = min(best, rows[row - 2][column - 2] + 1) }
                current.append(best)
            }
            rows.append(current)
        }
        return rows[first.count][second.count]
    }
}
