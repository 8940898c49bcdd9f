// SPDX-License-Identifier: GPL-2.0-only
/*
 * crowdsec-bouncer keeps a filter of the addresses that CrowdSec bans.
 *
 * crowdsec-custom-bouncer starts this program, and sends decisions to its standard
 * input. The first process only starts a worker, which does everything else. If the
 * worker is killed, the first process starts another worker, which continues with the
 * first line that was not processed. If the first process is killed, the worker processes
 * the rest of the input, and the next crowdsec-bouncer waits until the worker has ended.
 * So no decision in the pipe is lost while one of the two processes exists.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemons/ban_filter.h"
#include "daemons/decision.h"
#include "daemons/inbox.h"
#include "daemons/session.h"
#include "message.h"

#define NAME		"crowdsec-bouncer"
#define SETTINGS	"/etc/kcuckoo/bouncer.conf"
#define FILTER		"crowdsec"

/* Milliseconds without input after which the first decisions are complete. */
#define SILENCE		5000

/* Milliseconds between two checks for the end of a period of report_limited(). */
#define CHECK		60000

/*
 * The first process gives up after this number of crashes of workers, if no worker
 * completes a line between two of these crashes. A worker that SIGKILL ends is not
 * counted.
 */
#define CRASHES_MAX	3

/*
 * Seconds that the first process waits after an error before it ends. Without this
 * delay, crowdsec-custom-bouncer would start it again at once.
 */
#define ERROR_DELAY	5

/**
 * struct worker - state of the worker, the process that makes the changes
 * @inbox: the input
 * @session: the session
 * @filter: the filter
 * @line: the last line that was parsed since the last commit(); its number is 0 if no
 *	line was parsed
 * @has_input: this worker has read input, or an earlier worker of the session has
 *	processed a line or named a key
 * @bad: limit on the number of reports of bad lines
 */
struct worker {
	struct inbox *inbox;
	struct session session;
	struct ban_filter filter;
	struct inbox_line line;
	bool has_input;
	struct report_limit bad;
};

/*
 * Record the added keys of the batch as named keys of the session, make the changes of the
 * batch, and mark their lines as processed.
 */
static int commit(struct worker *worker)
{
	struct ban_filter *filter = &worker->filter;

	if (filter->count && filter->add &&
	    session_name(&worker->session, filter->keys, filter->count))
		return -1;
	ban_filter_apply(filter);
	if (worker->line.number)
		inbox_done(worker->inbox, &worker->line);
	worker->line.number = 0;
	return 0;
}

static void bad_line(struct worker *worker, const struct inbox_line *line,
		     const char *why)
{
	char text[160];

	report_limited(&worker->bad, "line %llu: %s: %s",
		       (unsigned long long)line->number, why,
		       escape(line->text, line->length, text, sizeof(text)));
}

static int process_line(struct worker *worker, const struct inbox_line *line)
{
	struct ban_filter *filter = &worker->filter;
	struct decision decision;
	enum decision_kind kind;

	if (line->too_long) {
		bad_line(worker, line, "the line is too long");
		return 0;
	}
	kind = decision_parse(line->text, line->length, &decision);
	if (kind == DECISION_BAD)
		bad_line(worker, line, decision.why);
	if (kind != DECISION_ADD && kind != DECISION_DEL)
		return 0;
	if (kind == DECISION_ADD && guard_is_wide(&decision.key)) {
		bad_line(worker, line, BAN_WIDE);
		return 0;
	}
	if (ban_filter_is_full(filter, kind == DECISION_ADD) && commit(worker))
		return -1;
	if (kind == DECISION_ADD)
		ban_filter_add(filter, &decision.key, decision.timeout);
	else
		ban_filter_del(filter, &decision.key);
	return 0;
}

static int process_lines(struct worker *worker)
{
	struct inbox_line line = worker->line;

	while (inbox_next(worker->inbox, &line)) {
		if (process_line(worker, &line))
			return -1;
		worker->line = line;
	}
	return commit(worker);
}

/*
 * Remove the members that the first decisions have not named. If the filter was destroyed,
 * call ban_filter_restore(); the next call of remove_unnamed(), after another silence, then
 * removes the members.
 */
static int remove_unnamed(struct worker *worker)
{
	struct ban_filter *filter = &worker->filter;
	struct kcuckoo_members members;
	struct kcuckoo_prefix *named;
	size_t count, i, removed = 0;
	int ret;

	named = session_named(&worker->session, &count);
	if (!named)
		return -1;
	ret = kcuckoo_members(filter->handle, filter->settings.filter,
			      &members);
	if (ret == -ENOENT) {
		free(named);
		ban_filter_restore(filter);
		return 0;
	}
	if (ret) {
		free(named);
		return report_error("cannot list '%s': %s",
				    filter->settings.filter,
				    kcuckoo_strerror(ret));
	}
	for (i = 0; i < members.count; i++) {
		if (bsearch(&members.keys[i], named, count, sizeof(*named),
			    session_order))
			continue;
		if (ban_filter_is_full(filter, false))
			ban_filter_apply(filter);
		ban_filter_del(filter, &members.keys[i]);
		removed++;
	}
	ban_filter_apply(filter);
	kcuckoo_members_free(&members);
	free(named);
	report_notice("'%s' has the decisions of a new %s: %zu older members were removed",
		      filter->settings.filter, "crowdsec-custom-bouncer",
		      removed);
	return session_complete(&worker->session);
}

/*
 * Return: 1 if input can be read or has ended; 0 if the first decisions are complete,
 * because no input arrived during SILENCE; or -1 after a report.
 */
static int wait_for_input(struct worker *worker)
{
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	bool silence = worker->session.first && worker->has_input;
	int ret;

	for (;;) {
		ret = poll(&input, 1, silence ? SILENCE : CHECK);
		if (ret > 0)
			return 1;
		if (ret < 0 && errno != EINTR)
			return report_error("poll: %s", strerror(errno));
		report_suppressed(&worker->bad, 0);
		report_suppressed(&worker->filter.failed, 0);
		if (!ret && silence)
			return 0;
	}
}

static int process(struct worker *worker)
{
	int ret;

	for (;;) {
		if (process_lines(worker))
			return -1;
		ret = wait_for_input(worker);
		if (ret < 0 || (!ret && remove_unnamed(worker)))
			return -1;
		if (!ret)
			continue;
		switch (inbox_read(worker->inbox, STDIN_FILENO)) {
		case INBOX_DATA:
			worker->has_input = true;
			break;
		case INBOX_END:
			return 0;
		case INBOX_ERROR:
			return report_error("cannot read decisions: %s",
					    strerror(errno));
		}
	}
}

/* Report an incomplete last line, and the errors that report_limited() only counted. */
static void finish(struct worker *worker)
{
	struct inbox *inbox = worker->inbox;

	if (inbox_pending(inbox))
		report_limited(&worker->bad,
			       "line %llu: the input ends in the line",
			       (unsigned long long)inbox->line + 1);
	report_suppressed(&worker->bad, 1);
	report_suppressed(&worker->filter.failed, 1);
}

/* The signals that ask a process to end. */
static const int end_signals[] = { SIGTERM, SIGINT, SIGHUP };

/*
 * From the beginning of the session on, the worker ends only at the end of its input, so
 * that it processes all decisions.
 */
static void ignore_signals(void)
{
	size_t i;

	for (i = 0; i < sizeof(end_signals) / sizeof(*end_signals); i++)
		signal(end_signals[i], SIG_IGN);
}

static bool is_end_signal(int number)
{
	size_t i;

	for (i = 0; i < sizeof(end_signals) / sizeof(*end_signals); i++)
		if (end_signals[i] == number)
			return true;
	return false;
}

static int work(struct inbox *inbox, const struct session_sender *sender)
{
	static struct worker worker = { .bad = { .what = "bad lines" } };
	struct settings *settings = &worker.filter.settings;
	int ret;

	worker.inbox = inbox;
	inbox_repair(inbox);
	if (session_lock() || session_open(&worker.session, sender) ||
	    settings_read(settings, SETTINGS, FILTER))
		return EXIT_FAILURE;
	/*
	 * If an earlier worker has read input that is not processed, keep waiting for
	 * the filter even at the end of the input.
	 */
	ret = ban_filter_open(&worker.filter, true, !inbox_pending(inbox));
	if (ret < 0 || session_begin(&worker.session, settings->filter))
		return EXIT_FAILURE;
	/* The input has ended without a decision, so no decision was lost. */
	if (ret)
		return EXIT_SUCCESS;
	ignore_signals();
	worker.has_input = inbox->line || worker.session.has_named_keys;
	if (process(&worker))
		return EXIT_FAILURE;
	finish(&worker);
	return EXIT_SUCCESS;
}

/*
 * Return: the exit status of the worker; EXIT_SUCCESS if a signal of end_signals[] ended
 * the worker; the negative number of any other signal that ended the worker; or
 * EXIT_FAILURE if fork() or waitpid() failed.
 */
static int run_worker(struct inbox *inbox, const struct session_sender *sender)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid)
		exit(work(inbox, sender));
	if (pid < 0) {
		report_error("fork: %s", strerror(errno));
		return EXIT_FAILURE;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_FAILURE;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (is_end_signal(WTERMSIG(status)))
		return EXIT_SUCCESS;
	return -WTERMSIG(status);
}

static int supervise(struct inbox *inbox, const struct session_sender *sender)
{
	unsigned int crashes = 0;
	uint64_t line;
	int status;

	for (;;) {
		line = inbox->line;
		status = run_worker(inbox, sender);
		if (status >= 0)
			return status;
		if (inbox->line != line)
			crashes = 0;
		if (status != -SIGKILL && ++crashes == CRASHES_MAX) {
			report_error("%d worker processes crashed after line %llu, the last one with signal %d",
				     CRASHES_MAX, (unsigned long long)line,
				     -status);
			return EXIT_FAILURE;
		}
		report_error("signal %d ended the worker process, a new worker process continues",
			     -status);
		/* After a worker without progress, wait: memory can be short. */
		if (inbox->line == line)
			sleep(1);
	}
}

int main(int argc, char *argv[])
{
	struct session_sender sender;
	struct inbox *inbox;
	int status;

	(void)argv;
	report_open(NAME);
	session_sender(&sender);
	if (argc > 1) {
		report_error("takes no arguments: crowdsec-custom-bouncer needs 'feed_via_stdin: true'");
		return EXIT_FAILURE;
	}
	inbox = inbox_create();
	if (session_open_lock()) {
		status = EXIT_FAILURE;
	} else if (inbox) {
		status = supervise(inbox, &sender);
	} else {
		report_error("not enough memory");
		status = EXIT_FAILURE;
	}
	if (status) {
		/*
		 * Decisions that the worker did not process, or that are still in the
		 * pipe, are lost. The lock of the worker is still held: no crowdsec-bouncer of
		 * another sender can have changed the files since the worker ended.
		 */
		if (!session_lock())
			session_lose(&sender);
		sleep(ERROR_DELAY);
	}
	return status;
}
