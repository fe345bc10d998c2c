//! The 20 questions, each asked of every tool.

use std::fmt::Write as _;

use super::super::results::{Question, Results};
use super::{ms, power, thousands};

/// A table for each size: the median time of each tool, the least in brackets.
pub fn draw(results: &[Results], page: &mut String) -> std::fmt::Result {
    page.push_str(
        "## 20 questions\n\n\
         Milliseconds for the whole process, the median of all rounds and in brackets the least; the quickest is bold. The\n\
         answer is the number of hits, the best 20 rows, and how many hits have each source, framework, device, network,\n\
         stage and precision; dlbench counts all other fields and facts, too. All answers were compared before they were\n\
         timed: the same number of hits, the same rows, the same counts. Where a tool can do it in two ways, the faster one\n\
         was taken: SQLite by FTS5 or by its tables and B-trees, DuckDB by one scan or two; DuckDB's file is sorted by network\n\
         and device, and ripgrep looks for the rarest word, side by side in 8 files, while awk checks the columns, counts and\n\
         ranks. dlbench alone reads the question as people type it, and joins the catalog's facts, citations and notes on\n\
         comparability to its answer.\n",
    );
    for result in results {
        writeln!(page, "\n### {} measurements, {} rounds\n", power(result.rows), result.rounds)?;
        page.push_str("| question | hits |");
        for tool in &result.questions[0].tools {
            write!(page, " {} |", tool.tool)?;
        }
        page.push_str("\n| --- | ---: |");
        page.push_str(&" ---: |".repeat(result.questions[0].tools.len()));
        page.push('\n');
        for question in &result.questions {
            write!(page, "| `{}` | {} |", question.ask, thousands(question.hits))?;
            let best = best(question);
            for tool in &question.tools {
                match &tool.wrong {
                    Some(wrong) => write!(page, " not timed: {wrong} |")?,
                    None if tool.ms.median <= best => {
                        write!(page, " **{}** ({}) |", ms(tool.ms.median), ms(tool.ms.least))?
                    }
                    None => write!(page, " {} ({}) |", ms(tool.ms.median), ms(tool.ms.least))?,
                }
            }
            page.push('\n');
        }
    }
    page.push('\n');
    Ok(())
}

/// Where another tool is quicker, by how much, and why.
pub fn draw_behind(results: &[Results], why: &str, page: &mut String) -> std::fmt::Result {
    page.push_str("## Where dlbench is not ahead\n\n");
    let mut any = false;
    for result in results {
        let mut lines = String::new();
        for question in &result.questions {
            let own = question.tools[0].ms.median;
            for tool in &question.tools[1..] {
                if tool.wrong.is_none() && tool.ms.median <= own {
                    let times = own / tool.ms.median;
                    writeln!(lines, "| {} | `{}` | {} | {times:.1} |", power(result.rows), question.ask, tool.tool)?;
                }
            }
        }
        if !lines.is_empty() && !any {
            page.push_str("| measurements | question | quicker | times |\n| --- | --- | --- | ---: |\n");
            any = true;
        }
        page.push_str(&lines);
    }
    if !any {
        page.push_str("Nowhere in this run: it answered each of the questions sooner than every other tool.\n\n");
    } else {
        page.push('\n');
        if !why.trim().is_empty() {
            writeln!(page, "{}\n", why.trim())?;
        }
    }
    Ok(())
}

fn best(question: &Question) -> f64 {
    let right = question.tools.iter().filter(|tool| tool.wrong.is_none());
    right.map(|tool| tool.ms.median).fold(f64::INFINITY, f64::min)
}
