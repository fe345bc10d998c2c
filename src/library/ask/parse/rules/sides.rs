//! The sides of a comparison. Conditions that belong to no side apply to all of them.

use indexmap::IndexSet;

use super::conditions::Item;
use super::pieces::Pieces;
use crate::ask::parse::piece::{Means, Piece};
use crate::ask::parse::question::{End, Filter, Is, Key, Term, Test};
use crate::model::Facet::{self, Architecture, Class, Device, Framework, Instance, Precision, Vendor};
use crate::model::{Aspect, Field};
use crate::values::EntityKind;

/// The sides of a comparison and the conditions that they use.
pub(super) struct Sided {
    /// Two or more sides.
    pub sides: Vec<Filter>,
    /// The indexes of the conditions used.
    pub items: Vec<usize>,
}

/// The sides of a comparison: joined by a link (`V100 vs T4`), or listed after a comparing word or by `or` (`a 3090 or a 4090`).
pub(super) fn sides(pieces: &mut Pieces<'_>, items: &[Item]) -> Option<Sided> {
    let compares = pieces.asks("compare") || pieces.asks("choose");
    let comparative = pieces.compares();
    let gains = pieces.asks("speedup");
    let lists = pieces.is_list();
    let is_link = |at: &usize| match pieces.means(*at) {
        Means::Link("versus" | "beats" | "equals") => true,
        Means::Link("than") => (comparative || compares || gains) && !lists,
        Means::Link("to") | Means::Bound(">") | Means::Axis("over") => between_same(pieces, items, *at),
        _ => false,
    };
    // `latency vs throughput` are quantities of one subject, not sides.
    let is_behind_item = |at: &usize| !items.iter().all(|item| item.piece > *at || item.is_not);
    let links: Vec<usize> = (0..pieces.list.len()).filter(|at| is_link(at) && is_behind_item(at)).collect();
    if let Some(sided) = linked(items, &links, pieces) {
        pieces.mark_all(links, "sides");
        return Some(sided);
    }
    // Otherwise, two or more values of one key that the words list.
    let ordered = pieces.orders();
    let asks_which = pieces.asks("which") || pieces.first().is_some_and(|of| matches!(of.means, Means::Order(..)));
    let names_kind = pieces.any(|means| matches!(means, Means::Kind(_, None)));
    let asks_more = pieces.any(|means| matches!(means, Means::Quantity(_) | Means::Axis(_) | Means::Order(..)));
    let mut keys: IndexSet<&Key> = items.iter().filter(|item| !item.is_not).map(|item| &item.test.key).collect();
    // `eight V100s or four A100s`: a count belongs to its devices, so its key is tried last.
    keys.sort_by_key(|key| **key == Key::from(Field::DeviceCount));
    keys.into_iter().find_map(|key| {
        let of: Vec<usize> = (0..items.len()).filter(|at| items[*at].test.key == *key && !items[*at].is_not).collect();
        // A comparison needs at least two values.
        let [first, .., last] = of.as_slice() else { return None };
        // `mxnet OR chainer` selects rows of either and compares nothing.
        if super::conditions::is_union(&items[*first], &items[*last], pieces) {
            return None;
        }
        let between = &pieces.list[items[*first].piece..items[*last].piece];
        let has_or = between.iter().any(|piece| piece.means.is_link(&["or"]));
        let has_comma = |piece: &Piece| pieces.words[piece.words.end - 1].comma;
        let has_link = has_or || between.iter().any(|piece| piece.means.is_link(&["and", "than"]) || has_comma(piece));
        let by_or =
            matches!(key, Key::Facet(Device | Framework | Class | Vendor | Instance | Architecture | Precision));
        // The question has nothing but values of one key: `V100, T4 and P100`, `what does an L40S do that an L40 does not`.
        let has_only = !lists && items.len() == of.len() && !names_kind && !asks_more;
        let is_bare = by_or && (has_link || *key == Key::Facet(Device)) && has_only;
        let is_listed = has_link
            && (compares
                || comparative && (of.len() == 2 || asks_which) && !lists
                || asks_which && ordered && !lists && by_or && !names_kind);
        let is_choice = has_or && by_or && !lists;
        // `performance comparison Intel CPU NVIDIA GPU`
        if !(is_choice || is_listed || is_bare || gains && has_link && by_or || compares && of.len() > 1) {
            return None;
        }
        let (sides, taken) = with_qualities(&of, items, pieces);
        // Identical sides are not a comparison.
        (!sides.iter().all(|side| *side == sides[0])).then_some(Sided { sides, items: taken })
    })
}

/// One side for each condition, together with its qualifiers, and the conditions that the sides use.
fn with_qualities(of: &[usize], items: &[Item], pieces: &Pieces<'_>) -> (Vec<Filter>, Vec<usize>) {
    let mut taken = of.to_vec();
    let side = |at: &usize| {
        let beside =
            (0..items.len()).filter(|other| !of.contains(other) && qualifies(&items[*at], &items[*other], pieces));
        let beside: Vec<usize> = beside.collect();
        taken.extend(&beside);
        let own = [*at].into_iter().chain(beside);
        Filter { terms: own.map(|at| Term::Test(items[at].test.clone())).collect() }
    };
    (of.iter().map(side).collect(), taken)
}

/// Whether conditions of one key are directly on both sides of a piece.
fn between_same(pieces: &Pieces<'_>, items: &[Item], at: usize) -> bool {
    let right = items.iter().find(|item| item.piece > at);
    // `fp8 h100 speedup over bf16`
    let gains = ["speedup", "changes"].iter().any(|gain| pieces.asks(gain))
        && matches!(pieces.means(at), Means::Axis("over") | Means::Bound(">"));
    let before = || items.iter().rev().filter(|item| item.piece < at);
    let like = before().find(|item| gains && right.is_some_and(|right| right.test.key == item.test.key));
    let left = like.or(before().next());
    let Some((left, right)) = left.zip(right) else { return false };
    let is_next = |before: usize| {
        // `int4 double the speed over int8`
        let is_speed = pieces.means(before).quantity().is_some_and(|by| by == "any:speed" || by.contains("throughput"));
        gains
            || before == left.piece
            || is_speed
            || matches!(pieces.means(before), Means::Ask(_) | Means::Comparative(..))
    };
    left.test.key == right.test.key && pieces.before(at).is_some_and(is_next)
}

/// Whether a condition qualifies the one next to it: the version of a framework, the memory or the vendor of a device.
fn qualifies(of: &Item, beside: &Item, pieces: &Pieces<'_>) -> bool {
    let (first, last) = (of.piece.min(beside.piece), of.piece.max(beside.piece));
    // `on 500 dollars, a 3090 or a 5060 Ti`
    let comma = usize::from(pieces.words[pieces.list[first].words.end - 1].comma);
    let distance = comma + pieces.list[first..last].iter().filter(|piece| !piece.is_filler()).count();
    match (of.facet(), &beside.test.key) {
        (Some(Facet::Framework), Key::Aspect(Aspect::Field(field))) => {
            distance <= 2 && matches!(field, Field::FrameworkVersion | Field::Backend | Field::BackendVersion)
        }
        (Some(Facet::Device), Key::Aspect(Aspect::Fact(fact))) => distance == 1 && fact.kind() == EntityKind::Device,
        // `Graphcore IPU against A100`
        (Some(Facet::Device), Key::Facet(Facet::Vendor)) => first != of.piece && distance == 1,
        // `a Jetson Xavier NX or an Ultra96 FPGA`
        (Some(Facet::Device), Key::Facet(Facet::Class)) => first == of.piece && distance == 1,
        // `the NPU of the RK3588`, `RK3588 NPU vs Jetson Xavier NX`
        (Some(Facet::Device), Key::Aspect(Aspect::Field(Field::ComputeUnit))) => distance == 1,
        // `or two RTX 4090s`
        (Some(Facet::Device), Key::Aspect(Aspect::Field(Field::DeviceCount))) => first != of.piece && distance == 1,
        _ => false,
    }
}

fn linked(items: &[Item], links: &[usize], pieces: &Pieces<'_>) -> Option<Sided> {
    let mut runs: Vec<Vec<usize>> = vec![Vec::new(); links.len() + 1];
    for (at, item) in items.iter().enumerate().filter(|(_, item)| !item.is_not) {
        let run = links.iter().take_while(|link| **link < item.piece).count();
        runs[run].push(at);
    }
    runs.retain(|run| !run.is_empty());
    if runs.len() < 2 {
        return None;
    }
    let key = |at: &usize| &items[*at].test.key;
    let mut common: Vec<&Key> = Vec::new();
    for at in &runs[0] {
        if !common.contains(&key(at)) && runs[1..].iter().all(|run| run.iter().any(|other| key(other) == key(at))) {
            common.push(key(at));
        }
    }
    // Values that are the same on all sides are shared, not compared.
    let tests = |run: &[usize], of: &Key| {
        run.iter().filter(|at| key(at) == of).map(|at| &items[*at].test).cloned().collect::<Vec<Test>>()
    };
    common.retain(|of| runs[1..].iter().any(|run| tests(run, of) != tests(&runs[0], of)));
    // A count of devices belongs to the devices of its side.
    let count = Key::from(Field::DeviceCount);
    let counted = runs.iter().all(|run| run.iter().any(|at| *key(at) == count));
    if counted && !common.is_empty() && !common.contains(&&count) {
        common.push(&count);
    }
    if common.is_empty() {
        // `q4 vs q8 vs fp16`: keys differ, but each run has a value of one group.
        let one_kind = runs[0].iter().rev().find_map(|left| {
            let of = items[*left].group()?;
            let like = |run: &Vec<usize>| run.iter().copied().find(|at| items[*at].group() == Some(of));
            let others: Vec<usize> = runs[1..].iter().map(like).collect::<Option<_>>()?;
            let differ = others.iter().all(|other| items[*left].test != items[*other].test);
            differ.then(|| [vec![*left], others].concat())
        })?;
        let (sides, taken) = with_qualities(&one_kind, items, pieces);
        return Some(Sided { sides, items: taken });
    }
    let mut taken: Vec<usize> = Vec::new();
    let mut sides: Vec<Filter> = Vec::new();
    for run in &runs {
        let mut side = Filter::default();
        let own: Vec<usize> = run.iter().copied().filter(|at| common.contains(&key(at))).collect();
        // `V100 T4 P100 vs A100`: each is a side.
        if common.len() == 1 && own.len() > 1 && !matches!(common[0], Key::Aspect(_)) {
            sides.extend(own.iter().map(|at| Filter::from(items[*at].test.clone())));
            taken.extend(own);
            continue;
        }
        for at in run {
            let is_next = |own: &usize| items[*own].piece.abs_diff(items[*at].piece) <= 2;
            // In `PCIe for multi-GPU training` the range of counts applies to all sides.
            let is_count = *key(at) == count && items[*at].test.is.single().is_some();
            // `nvlink vs pcie scaling 8x v100`: the count belongs to the devices after it.
            let is_of_other = pieces.after(items[*at].piece).is_some_and(|device| {
                pieces.list[device].is_of(&[Facet::Device]) && own.iter().all(|own| items[*own].piece != device)
            });
            // `with 4 GPUs` after a side applies to all sides.
            let is_shared = pieces.is_preceded_by(items[*at].piece, &["with", "for", "on", "using"]);
            // `nvlink vs pcie 4 gpu scaling`: the count applies to all sides.
            let is_of_kind = *key(at) == count
                && !counted
                && pieces.next_is(items[*at].piece, |next| next.is_kind(Facet::Device))
                && own.iter().all(|own| items[*own].piece < items[*at].piece);
            let is_count = is_count && !is_of_other && !is_shared && !is_of_kind;
            let qualified = |own: &usize| !is_of_kind && qualifies(&items[*own], &items[*at], pieces);
            let beside = own.iter().any(|own| is_count && is_next(own) || qualified(own));
            let differs = beside && runs.iter().any(|other| tests(other, key(at)) != tests(run, key(at)));
            if own.contains(at) || differs && !common.contains(&key(at)) {
                side.terms.push(Term::Test(items[*at].test.clone()));
                taken.push(*at);
            }
        }
        sides.push(side);
    }
    // A version needs its framework, a form factor its device: `pytorch 1.0 vs 2.0`, `A100 SXM vs A100 PCIe`.
    let of = |key: &Key| match key {
        Key::Aspect(Aspect::Field(Field::FrameworkVersion)) => Some(Facet::Framework),
        Key::Aspect(Aspect::Fact(fact)) if fact.kind() == EntityKind::Device => Some(Facet::Device),
        _ => None,
    };
    let owner = common.iter().find_map(|key| of(key));
    let owner = owner.and_then(|of| items.iter().position(|item| item.facet() == Some(of) && !item.is_not));
    if let Some(owner) = owner {
        for side in sides.iter_mut().filter(|side| side.terms.len() == 1) {
            side.terms.insert(0, Term::Test(items[owner].test.clone()));
        }
        taken.extend((0..items.len()).filter(|at| items[*at].facet() == items[owner].facet()));
    }
    sides.dedup();
    (sides.len() > 1).then_some(Sided { sides, items: taken })
}

/// The sides that a speed-up implies: `fp16 speedup` is over fp32, `inception v3 4 gpus speedup` is over one GPU.
pub(super) fn against_baseline(test: &Test) -> Option<[Filter; 2]> {
    let other = if test.key == Key::from(Field::DeviceCount) {
        test.is.single().filter(|count| *count > 1.0)?;
        Term::Test(Test { key: test.key.clone(), is: Is::exactly(1.0) })
    } else {
        let Is::OneOf(values) = &test.is else { return None };
        let baseline = crate::ask::parse::lexicon::baseline(&test.key, values.first()?)?;
        if values.iter().any(|value| baseline.split(',').any(|usual| usual == value)) {
            return None;
        }
        // Few sources state the usual value, so `-` makes the other side all rows without this value.
        match baseline {
            "-" => Term::Not(test.clone().into()),
            usual => Term::of(test.key.clone(), Is::OneOf(usual.split(',').map(str::to_owned).collect())),
        }
    };
    Some([test.clone().into(), Filter { terms: vec![other] }])
}

/// Whether a comparative asks for candidates better than the reference; only [`End::Worst`] asks for worse ones.
pub(super) fn is_better(end: End) -> bool {
    matches!(end, End::Best | End::Most | End::Least)
}
