/// Reads the hidden fields of the page that lets a person try again.
enum RepeatForm {
    static func fields(of page: String) -> [(String, String)] {
        page.matches(of: /<input type="hidden" name="([a-z]+)" value="([^"]*)">/)
            .map { (String($0.1), String($0.2)) }
    }
}
