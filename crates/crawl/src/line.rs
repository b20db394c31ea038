//! Our own line to the network: whether hosts are silent, or we are cut off.

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use fetch::FetchError;
use frontier::{HostId, LinkId, Moment};
use tokio::sync::{Semaphore, watch};

/// When so many hosts that have answered before are silent one after the other, it is us. Two may
/// well stand in the same room.
const SEVERAL: usize = 3;
/// When so many hosts give no sign before anybody was heard at all, it is us. A list of seeds may
/// have some that are gone, but hardly so many at its beginning.
const MANY: usize = 10;
/// How long to wait between two attempts to reach somebody.
const TRY_EVERY: Duration = Duration::from_secs(5);
/// So many links that were blamed are remembered. There are more only if a few hosts fail again and
/// again while nobody answers, and then one attempt more or less is of no matter.
const MOST_BLAMED: usize = 64;

/// Our line to the network. Everybody who asks a host tells it what was heard.
pub(crate) struct Line {
    state: watch::Sender<State>,
    silence: Mutex<Silence>,
    /// The turns of those who wait for the line to try it, first come, first served.
    turns: Semaphore,
}

/// How the line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It works, as far as is known.
    Up,
    /// Nobody can be reached, and it is tried now and then.
    Down,
    /// Nobody waits for it any more.
    GivenUp,
}

/// Who is to blame that nothing was heard of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blame {
    /// The host.
    Host,
    /// The line, and so many silent hosts have shown it just now.
    NowLine(usize),
    /// The line, as was known.
    Line,
}

/// When the line is to be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Attempt {
    /// Not before this moment.
    At(Moment),
    /// Somebody is trying.
    Going,
}

/// Who was silent since somebody was heard last.
#[derive(Default)]
struct Silence {
    /// Whether anybody was heard since the crawl was opened.
    is_broken: bool,
    /// Hosts that had answered before.
    known: HashSet<HostId>,
    /// Hosts that had not, and gave no sign.
    strange: HashSet<HostId>,
    /// Links that were counted as failed.
    blamed: Vec<LinkId>,
    /// Since when the line is down.
    since: Moment,
    /// When it is tried next.
    next: Moment,
    is_tried: bool,
}

impl Line {
    pub(crate) fn new() -> Self {
        Self {
            state: watch::Sender::new(State::Up),
            silence: Mutex::default(),
            turns: Semaphore::new(0),
        }
    }

    pub(crate) fn state(&self) -> State {
        *self.state.borrow()
    }

    /// Somebody was heard: the line works, and those who wait may go on.
    pub(crate) fn heard(&self) {
        let mut silence = self.silence();
        let blamed = std::mem::take(&mut silence.blamed);
        silence.known.clear();
        silence.strange.clear();
        silence.is_broken = true;
        if self.set(State::Down, State::Up) {
            // They were blamed before the line was known to be down, and not forgiven yet.
            silence.blamed = blamed;
            while let Ok(turn) = self.turns.try_acquire() {
                turn.forget();
            }
        }
    }

    /// Nothing was heard of a host, for this reason; it may have answered before.
    pub(crate) fn silent(
        &self,
        host: HostId,
        is_known: bool,
        error: &FetchError,
        now: Moment,
    ) -> Blame {
        let mut silence = self.silence();
        match self.state() {
            State::Up => {}
            State::GivenUp => return Blame::Line,
            State::Down => {
                silence.end_attempt(now);
                return Blame::Line;
            }
        }
        if is_known {
            silence.known.insert(host);
        } else if !silence.is_broken && gives_no_sign(error) {
            silence.strange.insert(host);
        }
        let (known, strange) = (silence.known.len(), silence.strange.len());
        if known < SEVERAL && known + strange < MANY {
            return Blame::Host;
        }
        silence.since = now;
        silence.end_attempt(now);
        self.set(State::Up, State::Down);
        Blame::NowLine(known + strange)
    }

    /// Whether a link may be counted as failed now. If the line turns out to be down, that is to be
    /// taken back.
    pub(crate) fn blames(&self, link: LinkId) -> bool {
        let mut silence = self.silence();
        let blames = self.state() == State::Up;
        if blames && silence.blamed.len() < MOST_BLAMED {
            silence.blamed.push(link);
        }
        blames
    }

    /// Links that were counted as failed before the line was found to be down.
    pub(crate) fn blamed(&self) -> Vec<LinkId> {
        std::mem::take(&mut self.silence().blamed)
    }

    /// Comes back when a host is to be asked again; tells whether it is.
    pub(crate) async fn wait(&self) -> bool {
        let mut state = self.state.subscribe();
        tokio::select! {
            biased;
            now = state.wait_for(|it| *it != State::Down) => now.is_ok_and(|it| *it == State::Up),
            turn = self.turns.acquire() => {
                turn.into_iter().for_each(tokio::sync::SemaphorePermit::forget);
                true
            }
        }
    }

    /// When the line is to be tried next.
    pub(crate) fn attempt(&self) -> Attempt {
        let silence = self.silence();
        if silence.is_tried { Attempt::Going } else { Attempt::At(silence.next) }
    }

    /// Somebody tries the line.
    pub(crate) fn begin_attempt(&self) {
        self.silence().is_tried = true;
    }

    /// Lets one of those who wait try the line, who came first.
    pub(crate) fn give_turn(&self) {
        self.turns.add_permits(1);
    }

    /// Nobody tries the line any more.
    pub(crate) fn end_attempt(&self, now: Moment) {
        let mut silence = self.silence();
        if silence.is_tried {
            silence.end_attempt(now);
        }
    }

    /// How long the line has been down.
    pub(crate) fn down_for(&self, now: Moment) -> Duration {
        now.since(self.silence().since)
    }

    /// A crawl begins, or begins again.
    pub(crate) fn take_up(&self) {
        self.set(State::GivenUp, State::Up);
    }

    /// Sends those away who wait.
    pub(crate) fn give_up(&self) {
        self.set(State::Down, State::GivenUp);
    }

    /// Changes one state into another, if it is that one; tells whether it was.
    fn set(&self, from: State, to: State) -> bool {
        self.state.send_if_modified(|state| {
            let is_so = *state == from;
            if is_so {
                *state = to;
            }
            is_so
        })
    }

    fn silence(&self) -> MutexGuard<'_, Silence> {
        self.silence.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Silence {
    fn end_attempt(&mut self, now: Moment) {
        self.is_tried = false;
        self.next = now + TRY_EVERY;
    }
}

/// Whether nobody at all was heard. Where there is no such name, or a connection is refused, somebody
/// has said so.
fn gives_no_sign(error: &FetchError) -> bool {
    matches!(error.class(), "dns-no-answer" | "unreachable" | "timeout-connect")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Moment = Moment(1_000_000);

    fn refused() -> FetchError {
        FetchError::Refused { host: "example.org".to_owned() }
    }

    fn unreachable() -> FetchError {
        FetchError::Unreachable { host: "example.org".to_owned(), reason: "gone".to_owned() }
    }

    /// Hosts fail in this order, `known` ones (k) and others (s), or somebody is heard (!).
    #[track_caller]
    fn check(story: &str, error: &FetchError, expected: State) -> Line {
        let line = Line::new();
        for word in story.split(' ') {
            match word.split_at(1) {
                ("!", _) => line.heard(),
                (kind, number) => {
                    let host = HostId(number.parse().unwrap());
                    line.silent(host, kind == "k", error, NOW);
                }
            }
        }
        assert_eq!(line.state(), expected);
        line
    }

    #[test]
    fn three_hosts_that_have_answered_before_are_enough() {
        check("! k1 k2", &refused(), State::Up);
        check("! k1 k2 k3", &refused(), State::Down);
        check("k1 k2 k3", &refused(), State::Down);
    }

    #[test]
    fn a_host_that_fails_again_and_again_is_one_host() {
        check("! k1 k2 k2 k1 k1 k2", &refused(), State::Up);
    }

    #[test]
    fn whoever_is_heard_in_between_clears_the_line() {
        check("! k1 k2 ! k3 k4", &refused(), State::Up);
        check("! k1 k2 k3 !", &refused(), State::Up);
    }

    #[test]
    fn strange_hosts_count_only_before_anybody_was_heard() {
        let nine = "s1 s2 s3 s4 s5 s6 s7 s8 s9";
        check(nine, &unreachable(), State::Up);
        check(&format!("{nine} s10"), &unreachable(), State::Down);
        check(&format!("! {nine} s10 s11"), &unreachable(), State::Up);
        check(&format!("{nine} s10 s11"), &refused(), State::Up);
    }

    #[test]
    fn links_that_were_blamed_in_vain_are_known() {
        let line = Line::new();
        for number in 1..=3 {
            line.silent(HostId(number), true, &refused(), NOW);
            assert_eq!(line.blames(LinkId(number.into())), number < 3);
        }
        assert_eq!(line.blamed(), [LinkId(1), LinkId(2)]);
        assert!(line.blamed().is_empty());
    }

    #[test]
    fn it_is_tried_by_one_at_a_time_and_not_all_the_time() {
        let line = check("k1 k2 k3", &refused(), State::Down);
        assert_eq!(line.attempt(), Attempt::At(NOW + TRY_EVERY));
        line.begin_attempt();
        assert_eq!(line.attempt(), Attempt::Going);
        let later = NOW + TRY_EVERY;
        assert_eq!(line.silent(HostId(1), true, &refused(), later), Blame::Line);
        assert_eq!(line.attempt(), Attempt::At(later + TRY_EVERY));
        assert_eq!(line.down_for(later), TRY_EVERY);
    }

    #[tokio::test]
    async fn those_who_wait_go_on_when_somebody_is_heard_and_are_sent_away_otherwise() {
        let line = check("k1 k2 k3", &refused(), State::Down);
        let (is_up, ()) = tokio::join!(line.wait(), async { line.heard() });
        assert!(is_up);
        let line = check("k1 k2 k3", &refused(), State::Down);
        line.give_turn();
        assert!(line.wait().await, "one may try");
        let (is_up, ()) = tokio::join!(line.wait(), async { line.give_up() });
        assert!(!is_up);
    }
}
