/// Hands out people who have not signed in yet.
actor PersonNumbers {
    private var last = 0

    func next(_ count: Int) -> Range<Int> {
        last += count
        return last - count..<last
    }
}
