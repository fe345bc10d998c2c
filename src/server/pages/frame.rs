//! What a section that was drawn for any page needs on one with a keyboard, a narrow screen and a style sheet: tables in frames that
//! scroll, and no styles of their own.

/// The section with each table in a frame of its own, which can be reached by keyboard and scrolled while the page stands still.
/// `<table>` stands in no text: whatever is drawn is escaped.
pub(super) fn framed(section: &str) -> String {
    by_style_sheet(section)
        .replace("<table>\n", "<div class=\"frame\" tabindex=\"0\"><table>\n")
        .replace("</table>\n", "</table></div>\n")
        // A heading that says nothing is none for whoever hears the page.
        .replace("<th scope=\"row\"></th>", "<td></td>")
        .replace("<th scope=\"col\"></th>", "<td></td>")
}

/// The section without styles of its own, which the policy of these pages forbids: what is drawn fainter, for documents without a
/// style sheet, is quiet here. Quotes of texts are escaped, so that this stands in no text.
fn by_style_sheet(section: &str) -> String {
    const STYLE: &str = " style=\"";
    let mut plain = String::with_capacity(section.len());
    let mut rest = section;
    while let Some((before, style)) = rest.split_once(STYLE) {
        plain.push_str(before);
        if before.ends_with("<span") {
            plain.push_str(" class=\"quiet\"");
        }
        rest = style.split_once('"').map_or("", |(_, behind)| behind);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::framed;
    use dlbench::render::table::{Cell, Column, Section, Table};

    #[test]
    fn every_table_scrolls_by_itself() {
        let section = "<table>\n<tr><th scope=\"row\"></th><td>&lt;table&gt;</td></tr>\n</table>\n<p>a</p>";
        assert_eq!(
            framed(section),
            "<div class=\"frame\" tabindex=\"0\"><table>\n<tr><td></td><td>&lt;table&gt;</td></tr>\n</table></div>\n<p>a</p>"
        );
    }

    #[test]
    fn what_is_drawn_fainter_or_shaded_has_no_style_of_its_own() {
        let said = "<td class=\"number\" style=\"background:rgb(0 0 0 / 9%)\"><span style=\"opacity:.6\">1.0</span></td> style=&quot;x";
        let plain = "<td class=\"number\"><span class=\"quiet\">1.0</span></td> style=&quot;x";
        assert_eq!(framed(said), plain);
        let cell = Cell { muted: true, shade: 9, ..Cell::from("1.0") };
        let sections = vec![Section { rows: vec![vec![cell]], ..Section::default() }];
        let table = Table { columns: vec![Column::key("ms", true)], sections, ..Table::default() };
        let drawn = table.html();
        assert!(drawn.contains(" style=\""), "{drawn}");
        assert!(!framed(&drawn).contains(" style=\""), "{drawn}");
    }
}
