//! The groups of a robots.txt, sorted into ours and everyone's while it is read.

use std::time::Duration;

use super::line::{Line, belongs_to_token};
use super::{Robots, Rule};

/// Large hosts name some hundred; a file of 500 KiB could name fifty thousand.
const MAX_SITEMAPS: usize = 1000;

pub(super) struct Groups<'a> {
    token: &'a [u8],
    ours: Section,
    everyones: Section,
    sitemaps: Vec<String>,
    /// Whom the rules of the current group concern.
    group: Audience,
    /// Whom a delay would concern: the agents named since the last rule or delay.
    ///
    /// Only rules end a group (RFC 9309, 2.2.4: "Parsing of other records MUST NOT interfere with
    /// the parsing of explicitly defined records"), but whoever writes agent, delay, agent, delay
    /// means two delays.
    named: Audience,
    /// Whether the current group has a rule, so that the next agent begins another.
    has_rules: bool,
    /// Whether an agent stands right above.
    below_agent: bool,
}

#[derive(Default)]
struct Section {
    exists: bool,
    rules: Vec<Rule>,
    crawl_delay: Option<Duration>,
}

#[derive(Clone, Copy, Default)]
struct Audience {
    us: bool,
    everyone: bool,
}

impl<'a> Groups<'a> {
    pub(super) fn for_token(token: &'a str) -> Self {
        Self {
            token: token.as_bytes(),
            ours: Section::default(),
            everyones: Section::default(),
            sitemaps: Vec::new(),
            group: Audience::default(),
            named: Audience::default(),
            has_rules: false,
            below_agent: false,
        }
    }

    pub(super) fn take(&mut self, number: u32, line: Line) {
        match line {
            Line::Agent(agent) => self.take_agent(agent),
            Line::Allow(pattern) => self.take_rules(Rule::allowing(number, pattern)),
            Line::Disallow(pattern) => self.take_rules(Rule::forbidding(number, pattern)),
            Line::CrawlDelay(delay) => self.take_delay(delay),
            Line::Sitemap(url) => self.take_sitemap(url),
        }
    }

    /// RFC 9309, 2.2.1: "If no matching group exists, crawlers MUST obey the group with a
    /// user-agent line with the "*" value, if present."
    pub(super) fn into_robots(self) -> Robots {
        let section = if self.ours.exists { self.ours } else { self.everyones };
        Robots::new(section.rules, section.crawl_delay, self.sitemaps)
    }

    fn take_agent(&mut self, agent: &[u8]) {
        if self.has_rules {
            self.group = Audience::default();
            self.has_rules = false;
        }
        if !self.below_agent {
            self.named = Audience::default();
            self.below_agent = true;
        }
        if is_everyone(agent) {
            self.group.everyone = true;
            self.named.everyone = true;
        } else if self.is_us(agent) {
            self.group.us = true;
            self.named.us = true;
            self.ours.exists = true;
        }
    }

    fn take_rules(&mut self, rules: impl Iterator<Item = Rule>) {
        self.has_rules = true;
        self.below_agent = false;
        if let Some(section) = self.section_of(self.group) {
            section.rules.extend(rules);
        }
    }

    fn take_delay(&mut self, delay: &[u8]) {
        self.below_agent = false;
        if let Some(section) = self.section_of(self.named) {
            section.crawl_delay = section.crawl_delay.max(seconds(delay));
        }
    }

    fn take_sitemap(&mut self, url: &[u8]) {
        let url = String::from_utf8_lossy(url).into_owned();
        if !url.is_empty() && self.sitemaps.len() < MAX_SITEMAPS && !self.sitemaps.contains(&url) {
            self.sitemaps.push(url);
        }
    }

    /// A group for us and everyone is ours: everyone's rules do not count beside it.
    fn section_of(&mut self, audience: Audience) -> Option<&mut Section> {
        match audience {
            Audience { us: true, .. } => Some(&mut self.ours),
            Audience { everyone: true, .. } => Some(&mut self.everyones),
            _ => None,
        }
    }

    /// What follows the token (a version, another word) is ignored, as in Google's parser.
    fn is_us(&self, agent: &[u8]) -> bool {
        let end = agent.iter().position(|it| !belongs_to_token(*it)).unwrap_or(agent.len());
        end > 0 && agent[..end].eq_ignore_ascii_case(self.token)
    }
}

fn is_everyone(agent: &[u8]) -> bool {
    matches!(agent, [b'*'] | [b'*', b' ' | b'\t' | 0x0B | 0x0C, ..])
}

/// The number at the beginning, in seconds. What follows it, often a unit or a tag, is ignored.
fn seconds(delay: &[u8]) -> Option<Duration> {
    let end = delay.iter().position(|it| !it.is_ascii_digit() && *it != b'.');
    let number = std::str::from_utf8(&delay[..end.unwrap_or(delay.len())]).ok()?;
    Duration::try_from_secs_f64(number.parse().ok()?).ok()
}
