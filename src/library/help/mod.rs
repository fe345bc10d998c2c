//! The help topics: what `dlbench help TOPIC` prints, one Markdown file for each.

use dlbench_protocol::PROTOCOL;

/// A help topic.
#[derive(Debug, Clone, Copy)]
pub struct Topic {
    /// The word that selects it.
    pub name: &'static str,
    /// Its subject, in a few words.
    pub summary: &'static str,
    /// The text, in Markdown.
    pub text: &'static str,
}

/// All topics, in the order of the listing; those for contributors come last.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "questions",
        summary: "what you can ask, how words are read, what an answer holds",
        text: include_str!("questions.md"),
    },
    Topic { name: "filters", summary: "fields, bounds, order, columns", text: include_str!("filters.md") },
    Topic {
        name: "comparing",
        summary: "tables of values and ratios, and what can be compared",
        text: include_str!("comparing.md"),
    },
    Topic {
        name: "claims",
        summary: "tables of surveys, verdicts on their claims, contradictions",
        text: include_str!("claims.md"),
    },
    Topic {
        name: "formats",
        summary: "JSON, CSV, Markdown and others; the whole knowledge base",
        text: include_str!("formats.md"),
    },
    Topic {
        name: "papers",
        summary: "figures, LaTeX tables, everything a paper needs",
        text: include_str!("papers.md"),
    },
    Topic { name: "measuring", summary: "measure this machine", text: include_str!("measuring.md") },
    Topic {
        name: "frameworks",
        summary: "measure several frameworks side by side",
        text: include_str!("frameworks.md"),
    },
    Topic { name: "cluster", summary: "measure with Slurm", text: include_str!("cluster.md") },
    Topic {
        name: "knowledge-base",
        summary: "where the data come from, which copy answers, the words used",
        text: include_str!("knowledge-base.md"),
    },
    Topic { name: "api", summary: "web page, JSON API, assistants, Python, Rust", text: include_str!("api.md") },
    Topic { name: "records", summary: "the TOML files, one example of each kind", text: include_str!("records.md") },
    Topic { name: "recipes", summary: "import result files", text: include_str!("recipes.md") },
    Topic { name: "protocol", summary: "write a worker for another framework", text: PROTOCOL },
];

/// The topic with this name.
pub fn topic(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name == name)
}
