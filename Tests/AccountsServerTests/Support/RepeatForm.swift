/// Reads the hidden fields of a page that posts a callback again.
enum RepeatForm {
    static func fields(of page: String) -> [(String, String)] {
        page.matches(of: /<input type="hidden" name="([a-z_]+)" value="([^"]*)">/)
            .map { (String($0.1), unescaped(String($0.2))) }
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
            .replacing("&gt;", with: ">").replacing("&#39;", with: "'")
            .replacing("&amp;", with: "&")
    }
}
