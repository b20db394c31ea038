//! Angles between weighted lists.

/// The cosine between two lists over the same terms; 0 if either has nothing.
pub(crate) fn cosine(pairs: impl Iterator<Item = (f64, f64)>) -> f64 {
    let (mut product, mut one, mut other) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        product += a * b;
        one += a * a;
        other += b * b;
    }
    over(product, one.sqrt() * other.sqrt())
}

/// The product of two lists whose terms have something to do with each other, over their lengths.
/// As terms are not at right angles, it may exceed 1.
pub(crate) fn related(one: &[f64], other: &[f64], relation: impl Fn(usize, usize) -> f64) -> f64 {
    let product = form(one, other, relation);
    over(product, length(one) * length(other))
}

/// The cosine between two lists whose terms have something to do with each other, also within each.
pub(crate) fn soft_cosine(
    one: &[f64],
    other: &[f64],
    relation: impl Fn(usize, usize) -> f64,
    within_one: impl Fn(usize, usize) -> f64,
    within_other: impl Fn(usize, usize) -> f64,
) -> f64 {
    let product = form(one, other, relation);
    let lengths = form(one, one, within_one) * form(other, other, within_other);
    over(product, lengths.max(0.0).sqrt())
}

fn form(one: &[f64], other: &[f64], relation: impl Fn(usize, usize) -> f64) -> f64 {
    let mut sum = 0.0;
    for (x, a) in one.iter().enumerate() {
        for (y, b) in other.iter().enumerate() {
            sum += a * b * relation(x, y);
        }
    }
    sum
}

fn length(list: &[f64]) -> f64 {
    list.iter().map(|it| it * it).sum::<f64>().sqrt()
}

fn over(product: f64, lengths: f64) -> f64 {
    if lengths > 0.0 { product / lengths } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}");
    }

    #[test]
    fn a_list_points_the_way_it_points_itself() {
        check(cosine([(1.0, 2.0), (3.0, 6.0)].into_iter()), 1.0);
        check(cosine([(1.0, 0.0), (0.0, 6.0)].into_iter()), 0.0);
        check(cosine(std::iter::empty()), 0.0);
        check(related(&[], &[1.0], |_, _| 1.0), 0.0);
    }

    #[test]
    fn related_terms_may_exceed_one_and_a_soft_cosine_does_not() {
        // A place and its part, against themselves.
        let tie = |x: usize, y: usize| if x == y { 1.0 } else { 0.6 };
        check(related(&[1.0, 1.0], &[1.0, 1.0], tie), 1.6);
        check(soft_cosine(&[1.0, 1.0], &[1.0, 1.0], tie, tie, tie), 1.0);
    }
}
