//! What a section that was drawn for any page needs on one with a keyboard and a narrow screen: tables in frames that scroll.

/// The section with each table in a frame of its own, which can be reached by keyboard and scrolled while the page stands still.
/// `<table>` stands in no text: whatever is drawn is escaped.
pub(super) fn framed(section: &str) -> String {
    section
        .replace("<table>\n", "<div class=\"frame\" tabindex=\"0\"><table>\n")
        .replace("</table>\n", "</table></div>\n")
        // A heading that says nothing is none for whoever hears the page.
        .replace("<th scope=\"row\"></th>", "<td></td>")
        .replace("<th scope=\"col\"></th>", "<td></td>")
}

#[cfg(test)]
mod tests {
    use super::framed;

    #[test]
    fn every_table_scrolls_by_itself() {
        let section = "<table>\n<tr><th scope=\"row\"></th><td>&lt;table&gt;</td></tr>\n</table>\n<p>a</p>";
        assert_eq!(
            framed(section),
            "<div class=\"frame\" tabindex=\"0\"><table>\n<tr><td></td><td>&lt;table&gt;</td></tr>\n</table></div>\n<p>a</p>"
        );
    }
}
