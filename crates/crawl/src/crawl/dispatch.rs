//! Hands links out to those who fetch them, and writes down now and then what came of it.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::task::{Context, Poll};
use std::time::Duration;

use frontier::{Next, Taken};
use tokio::task::{JoinError, JoinSet};

use super::Shared;
use crate::ending::Ending;
use crate::error::Error;
use crate::line::{self, Attempt};
use crate::slots::Slot;
use crate::task::seconds;
use crate::wish::Wish;

/// The requests on their way.
type Visits = JoinSet<Result<(), Error>>;

pub(super) async fn run(shared: Arc<Shared>) -> Result<Ending, Error> {
    let mut visits = JoinSet::new();
    let mut committing = JoinSet::new();
    let (going, gone) = mpsc::channel();
    // On a thread of its own: the allocator of each thread keeps memory for as much as a commit takes, and a worker
    // that blocks is replaced by another thread each time.
    committing.spawn_blocking({
        let shared = Arc::clone(&shared);
        move || commit_now_and_then(&shared, &gone)
    });
    let ending = tokio::select! {
        ending = dispatch(&shared, &mut visits) => ending,
        // What cannot be written down is not to be asked for.
        Some(done) = committing.join_next() => Err(match done {
            Ok(Err(error)) => error,
            _ => Error::torn(),
        }),
    };
    // Nobody goes on behind the caller's back, who may want to open the crawl again.
    visits.shutdown().await;
    drop(going);
    committing.shutdown().await;
    shared.client.close_idle();
    let ending = ending?;
    shared.commit(true)?;
    Ok(ending)
}

/// Hands links out to those who fetch them, until there is a reason to end.
async fn dispatch(shared: &Arc<Shared>, visits: &mut Visits) -> Result<Ending, Error> {
    shared.line.take_up();
    let ending = loop {
        while let Some(done) = visits.try_join_next() {
            // It may have been to try the line, and have ended without asking anybody.
            shared.line.end_attempt(shared.clock.now());
            ended(done)?;
        }
        // Whoever looks at the wish keeps others from changing it, so nobody may wait while looking.
        let wish = *shared.wish.borrow();
        match wish {
            Wish::Stop => break Ending::Stopped,
            Wish::Run => {}
            Wish::Pause => {
                shared.news.notified().await;
                continue;
            }
        }
        let in_flight = visits.len();
        let mut spent = shared.spent();
        let is_down = shared.line.state() == line::State::Down;
        // Those who wait for the line may wait for long, and bring nothing.
        if !is_down {
            spent.pages += in_flight as u64;
        }
        if shared.task.budget.is_used_up(&spent) {
            if in_flight == 0 || is_down {
                break Ending::BudgetUsed;
            }
            hear_of_one(shared, visits).await?;
            continue;
        }
        if is_down {
            if wait_for_line(shared, visits).await? {
                continue;
            }
            break Ending::NoNetwork;
        }
        // How many there may be can change at any time, and so can what is wished for.
        if in_flight >= *shared.threads.borrow() {
            hear_of_one(shared, visits).await?;
            continue;
        }
        let Some(slot) = free_slot(shared, visits).await? else { continue };
        let now = shared.clock.now();
        let next = shared.desk().frontier.next(now)?;
        match next {
            Next::Link(taken) => begin_visit(shared, visits, *taken, slot),
            Next::Empty => break Ending::Finished,
            Next::Busy => {
                drop(slot);
                hear_of_one(shared, visits).await?;
            }
            Next::Wait(moment) => {
                drop(slot);
                let is_long = moment.since(now) > shared.task.politeness.patience();
                if visits.is_empty() && is_long && !shared.desk().frontier.waits_for_delay()? {
                    break Ending::OnlySilentHosts;
                }
                // A host may want to be waited for longer than there is time.
                let left = shared.task.budget.time_left(&spent).unwrap_or(Duration::MAX);
                let moment = moment.min(now + left);
                if shared.clock.is_hurried() && !visits.is_empty() {
                    hear_of_one(shared, visits).await?;
                    continue;
                }
                tokio::select! {
                    () = shared.news.notified() => {}
                    // News of a visit may come just before it has ended; then this is the last word.
                    Some(done) = visits.join_next() => ended(done)?,
                    () = shared.clock.wait_until(moment) => {}
                }
            }
        }
    };
    shared.line.give_up();
    while !visits.is_empty() {
        join_one(visits).await?;
    }
    Ok(ending)
}

/// A slot for one more request; none if something else has happened that is to be looked at.
async fn free_slot(shared: &Shared, visits: &mut Visits) -> Result<Option<Slot>, Error> {
    tokio::select! {
        biased;
        slot = shared.slots.take() => return Ok(Some(slot)),
        () = shared.news.notified() => {}
        Some(done) = visits.join_next() => {
            shared.line.end_attempt(shared.clock.now());
            ended(done)?;
        }
    }
    Ok(None)
}

fn begin_visit(shared: &Arc<Shared>, visits: &mut Visits, taken: Taken, mut slot: Slot) {
    let shared = Arc::clone(shared);
    visits.spawn(async move {
        let result = match caught(shared.visit(taken.clone(), &mut slot)).await {
            Some(result) => result,
            None => shared.broke_off(&taken),
        };
        drop(slot);
        shared.news.notify_one();
        result
    });
}

/// While the line is down nothing is handed out but a link now and then, to try it: one of a host that
/// was not asked yet, or else one of those that wait. Tells whether there is still hope.
async fn wait_for_line(shared: &Arc<Shared>, visits: &mut Visits) -> Result<bool, Error> {
    let now = shared.clock.now();
    shared.forgive()?;
    if shared.line.down_for(now) > shared.task.politeness.patience() {
        tracing::warn!("the network is still down: ending, nothing is lost");
        return Ok(false);
    }
    let attempt = shared.line.attempt();
    if attempt <= Attempt::At(now) {
        let Some(slot) = free_slot(shared, visits).await? else { return Ok(true) };
        shared.line.begin_attempt();
        let has_room = visits.len() < *shared.threads.borrow();
        match has_room.then(|| shared.desk().frontier.next(now)).transpose()? {
            Some(Next::Link(taken)) => begin_visit(shared, visits, *taken, slot),
            // Nobody is left who could tell.
            _ if visits.is_empty() => shared.line.heard(),
            _ => shared.line.give_turn(),
        }
        return Ok(true);
    }
    let next = async {
        match attempt {
            Attempt::At(moment) => shared.clock.wait_until(moment).await,
            Attempt::Going => std::future::pending().await,
        }
    };
    tokio::select! {
        biased;
        () = shared.news.notified() => {}
        Some(done) = visits.join_next() => {
            // It may have ended without asking anybody.
            shared.line.end_attempt(shared.clock.now());
            ended(done)?;
        }
        () = next => {}
    }
    Ok(true)
}

/// Comes back when a visit has ended, or something else has happened that is to be looked at.
async fn hear_of_one(shared: &Shared, visits: &mut Visits) -> Result<(), Error> {
    if visits.is_empty() {
        return Ok(());
    }
    tokio::select! {
        Some(done) = visits.join_next() => ended(done),
        () = shared.news.notified() => Ok(()),
    }
}

async fn join_one(visits: &mut Visits) -> Result<(), Error> {
    visits.join_next().await.map_or(Ok(()), ended)
}

fn ended(visit: Result<Result<(), Error>, JoinError>) -> Result<(), Error> {
    visit.unwrap_or_else(|_| Err(Error::torn()))
}

/// What comes of some work; nothing if it panics.
async fn caught<T>(work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    let poll = |context: &mut Context<'_>| {
        // What it had in its hands when it panicked is asked for by whoever goes on.
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)));
        polled.map_or(Poll::Ready(None), |it| it.map(Some))
    };
    poll_fn(poll).await
}

/// Writes the state down until the crawl is gone, or until that fails.
fn commit_now_and_then(shared: &Shared, gone: &Receiver<()>) -> Result<(), Error> {
    let every = seconds(shared.task.limits.commit).max(Duration::from_millis(50));
    while gone.recv_timeout(every) == Err(RecvTimeoutError::Timeout) {
        if let Err(error) = shared.commit(false) {
            tracing::error!(%error, "the state cannot be written");
            return Err(error);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_panics_brings_nothing_and_takes_nobody_along() {
        let work = |is_broken: bool| async move {
            tokio::task::yield_now().await;
            assert!(!is_broken, "an error of the program");
            5
        };
        assert_eq!(caught(work(true)).await, None);
        assert_eq!(caught(work(false)).await, Some(5));
    }
}
