-- The tables of the archive, the same for SQLite and PostgreSQL.

CREATE TABLE IF NOT EXISTS board (club TEXT, board TEXT, is_online INTEGER NOT NULL, run TEXT NOT NULL,
    PRIMARY KEY (club, board));
CREATE TABLE IF NOT EXISTS run (club TEXT, board TEXT, run TEXT, game TEXT NOT NULL, players TEXT NOT NULL,
    told BIGINT NOT NULL, moves BIGINT NOT NULL, shown TEXT NOT NULL, PRIMARY KEY (club, board, run));
CREATE TABLE IF NOT EXISTS move (club TEXT, board TEXT, run TEXT, n BIGINT, ms BIGINT NOT NULL,
    body TEXT NOT NULL, PRIMARY KEY (club, board, run, n));
CREATE TABLE IF NOT EXISTS won (id BIGINT PRIMARY KEY, club TEXT NOT NULL, board TEXT NOT NULL,
    run TEXT NOT NULL, n BIGINT NOT NULL, ms BIGINT NOT NULL, result TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS won_of_run ON won (club, board, run, n);
CREATE TABLE IF NOT EXISTS refused (club TEXT, board TEXT, run TEXT, n BIGINT, why TEXT, ms BIGINT NOT NULL,
    PRIMARY KEY (club, board, run, n, why));
CREATE TABLE IF NOT EXISTS event (id BIGINT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL,
    rounds BIGINT NOT NULL, ms BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS entrant (event BIGINT, player TEXT, since BIGINT NOT NULL,
    PRIMARY KEY (event, player));
CREATE TABLE IF NOT EXISTS pairing (event BIGINT, round BIGINT, number BIGINT, one TEXT NOT NULL, two TEXT,
    ms BIGINT NOT NULL, PRIMARY KEY (event, round, number));
CREATE TABLE IF NOT EXISTS result (id BIGINT PRIMARY KEY, event BIGINT NOT NULL, round BIGINT NOT NULL,
    number BIGINT NOT NULL, winner TEXT, is_skunk INTEGER NOT NULL, spread BIGINT NOT NULL, said_by TEXT NOT NULL,
    ms BIGINT NOT NULL, game TEXT);
CREATE TABLE IF NOT EXISTS event_board (event BIGINT, club TEXT, board TEXT, PRIMARY KEY (event, board));
CREATE TABLE IF NOT EXISTS tournament (event BIGINT PRIMARY KEY, tables BIGINT NOT NULL, best_of TEXT NOT NULL,
    game_points TEXT NOT NULL, seed TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS scorecard (id BIGINT PRIMARY KEY, event BIGINT NOT NULL, round BIGINT NOT NULL,
    player TEXT NOT NULL, points BIGINT, spread BIGINT, is_ruled INTEGER NOT NULL, said_by TEXT NOT NULL,
    reason TEXT NOT NULL, ms BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS scorecard_line ON scorecard (event, round, player);
CREATE TABLE IF NOT EXISTS qualifier (event BIGINT, seed BIGINT, player TEXT NOT NULL, PRIMARY KEY (event, seed));
CREATE TABLE IF NOT EXISTS duplicate_move (event BIGINT, round BIGINT, number BIGINT, deal BIGINT, seat BIGINT,
    kind TEXT, cards TEXT NOT NULL, PRIMARY KEY (event, round, number, deal, seat, kind));
CREATE TABLE IF NOT EXISTS playoff (id BIGINT PRIMARY KEY, event BIGINT NOT NULL, round BIGINT NOT NULL,
    number BIGINT NOT NULL, wins_one BIGINT NOT NULL, wins_two BIGINT NOT NULL, said_by TEXT NOT NULL,
    reason TEXT NOT NULL, ms BIGINT NOT NULL);
