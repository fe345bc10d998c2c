//! The commonest words of other languages around names and numbers, which are the same in all of them: `Geräte unter 15 W`,
//! `la plus rapide`.

/// A question is taken for one of another language from so many of its words on: `mit` and `die` are names, too.
const LEAST_WORDS: usize = 2;

/// More words than this stand for none together.
const LONGEST: usize = 4;

/// Words of a language and the English ones in their place; none where they say nothing here.
type Words = &'static [(&'static str, &'static str)];

const GERMAN: Words = &[
    ("der", ""),
    ("die", ""),
    ("das", ""),
    ("den", ""),
    ("dem", ""),
    ("des", ""),
    ("ein", ""),
    ("eine", ""),
    ("einer", ""),
    ("einem", ""),
    ("einen", ""),
    ("und", "and"),
    ("oder", "or"),
    ("ist", "is"),
    ("sind", "are"),
    ("mit", "with"),
    ("ohne", "without"),
    ("für", "for"),
    ("fuer", "for"),
    ("auf", "on"),
    ("bei", "at"),
    ("von", "of"),
    ("im", "in"),
    ("zum", "for"),
    ("zur", "for"),
    ("unter", "under"),
    ("über", "over"),
    ("mindestens", "at least"),
    ("höchstens", "at most"),
    ("mehr als", "more than"),
    ("weniger als", "less than"),
    ("als", "than"),
    ("im vergleich zu", "compared to"),
    ("vergleich", "comparison"),
    ("gegen", "vs"),
    ("welche", "which"),
    ("welcher", "which"),
    ("welches", "which"),
    ("wie schnell", "how fast"),
    ("wie viel", "how much"),
    ("wie viele", "how many"),
    ("wie lange", "how long"),
    ("wie", "how"),
    ("was", "what"),
    ("gibt es", "are there"),
    ("liste", "list"),
    ("zeige", "show"),
    ("alle", "all"),
    ("schnellste", "fastest"),
    ("schnellster", "fastest"),
    ("schnellsten", "fastest"),
    ("schneller", "faster"),
    ("langsamer", "slower"),
    ("langsamste", "slowest"),
    ("beste", "best"),
    ("bester", "best"),
    ("besten", "best"),
    ("besser", "better"),
    ("billigste", "cheapest"),
    ("günstigste", "cheapest"),
    ("sparsamste", "most energy efficient"),
    ("größte", "largest"),
    ("kleinste", "smallest"),
    ("neueste", "newest"),
    ("geräte", "devices"),
    ("gerät", "device"),
    ("datensatz", "data set"),
    ("datensätze", "data sets"),
    ("datensätzen", "data sets"),
    ("modell", "network"),
    ("modelle", "networks"),
    ("klassifikation", "classification"),
    ("klassifizierung", "classification"),
    ("detektion", "detection"),
    ("objekterkennung", "object detection"),
    ("spracherkennung", "speech recognition"),
    ("übersetzung", "translation"),
    ("lizenz", "license"),
    ("bandbreite", "bandwidth"),
    ("speicherbandbreite", "memory bandwidth"),
    ("mehrere", "several"),
    ("instanzen", "instances"),
    ("hat am meisten", "has the most"),
    ("haben am meisten", "have the most"),
    ("am meisten", "most"),
    ("wieviel", "how much"),
    ("wieviele", "how many"),
    ("hat", "has"),
    ("haben", "have"),
    ("aber nicht", "but not"),
    ("nicht", "not"),
    ("kein", "no"),
    ("keine", "no"),
    ("wofür", ""),
    ("kommen", ""),
    ("vor", ""),
    ("sie", ""),
    ("karte", "card"),
    ("karten", "cards"),
    ("grafikkarte", "gpu"),
    ("grafikkarten", "gpus"),
    ("netz", "network"),
    ("netze", "networks"),
    ("netzwerk", "network"),
    ("speicher", "memory"),
    ("arbeitsspeicher", "memory"),
    ("leistung", "performance"),
    ("leistungsaufnahme", "power"),
    ("stromverbrauch", "power consumption"),
    ("energieverbrauch", "energy consumption"),
    ("energieeffizienz", "energy efficiency"),
    ("durchsatz", "throughput"),
    ("latenz", "latency"),
    ("genauigkeit", "accuracy"),
    ("geschwindigkeit", "speed"),
    ("preis", "price"),
    ("kosten", "cost"),
    ("bilder pro sekunde", "images per second"),
    ("pro watt", "per watt"),
    ("trainieren", "training"),
    ("trainingszeit", "training time"),
    ("inferenz", "inference"),
    ("beim", "at"),
    ("am meisten", "the most"),
    ("am wenigsten", "the least"),
    ("meisten", "most"),
    ("wieviel", "how much"),
    ("quantisierung", "quantization"),
];

const FRENCH: Words = &[
    ("le", ""),
    ("la", ""),
    ("les", ""),
    ("un", ""),
    ("une", ""),
    ("des", ""),
    ("du", ""),
    ("de", "of"),
    ("et", "and"),
    ("ou", "or"),
    ("est", "is"),
    ("sont", "are"),
    ("avec", "with"),
    ("sans", "without"),
    ("pour", "for"),
    ("sur", "on"),
    ("en", "in"),
    ("sous", "under"),
    ("moins de", "less than"),
    ("plus de", "more than"),
    ("au moins", "at least"),
    ("au plus", "at most"),
    ("quel", "which"),
    ("quelle", "which"),
    ("quels", "which"),
    ("quelles", "which"),
    ("combien", "how much"),
    ("combien de temps", "how long"),
    ("la plus rapide", "fastest"),
    ("le plus rapide", "fastest"),
    ("les plus rapides", "fastest"),
    ("plus rapide", "faster"),
    ("plus rapide que", "faster than"),
    ("que", "than"),
    ("rapide", "fast"),
    ("meilleur", "best"),
    ("meilleure", "best"),
    ("la moins chère", "cheapest"),
    ("le moins cher", "cheapest"),
    ("dernière", "recent"),
    ("dernier", "recent"),
    ("carte", "card"),
    ("cartes", "cards"),
    ("carte graphique", "gpu"),
    ("cartes graphiques", "gpus"),
    ("appareils", "devices"),
    ("réseau", "network"),
    ("réseaux", "networks"),
    ("mémoire", "memory"),
    ("vitesse", "speed"),
    ("débit", "throughput"),
    ("latence", "latency"),
    ("précision", "accuracy"),
    ("consommation", "power consumption"),
    ("prix", "price"),
    ("coût", "cost"),
    ("entraînement", "training"),
    ("entrainement", "training"),
    ("entraîner", "training"),
    ("inférence", "inference"),
    ("images par seconde", "images per second"),
    ("par watt", "per watt"),
    ("contre", "vs"),
];

const SPANISH: Words = &[
    ("el", ""),
    ("la", ""),
    ("los", ""),
    ("las", ""),
    ("un", ""),
    ("una", ""),
    ("de", "of"),
    ("del", ""),
    ("y", "and"),
    ("o", "or"),
    ("es", "is"),
    ("son", "are"),
    ("con", "with"),
    ("sin", "without"),
    ("para", "for"),
    ("en", "in"),
    ("menos de", "less than"),
    ("más de", "more than"),
    ("mas de", "more than"),
    ("al menos", "at least"),
    ("como máximo", "at most"),
    ("cuál", "which"),
    ("cual", "which"),
    ("cuáles", "which"),
    ("qué", "which"),
    ("cuánto", "how much"),
    ("cuanto", "how much"),
    ("cuánto tiempo", "how long"),
    ("mejor", "best"),
    ("mejores", "best"),
    ("más rápida", "fastest"),
    ("más rápido", "fastest"),
    ("mas rapida", "fastest"),
    ("mas rapido", "fastest"),
    ("más rápida que", "faster than"),
    ("más rápido que", "faster than"),
    ("que", "than"),
    ("más barata", "cheapest"),
    ("más barato", "cheapest"),
    ("tarjeta", "card"),
    ("tarjetas", "cards"),
    ("tarjeta gráfica", "gpu"),
    ("tarjetas gráficas", "gpus"),
    ("dispositivos", "devices"),
    ("red", "network"),
    ("redes", "networks"),
    ("memoria", "memory"),
    ("velocidad", "speed"),
    ("rendimiento", "throughput"),
    ("latencia", "latency"),
    ("precisión", "accuracy"),
    ("consumo", "power consumption"),
    ("precio", "price"),
    ("coste", "cost"),
    ("entrenamiento", "training"),
    ("entrenar", "training"),
    ("inferencia", "inference"),
    ("imágenes por segundo", "images per second"),
    ("por vatio", "per watt"),
    ("contra", "vs"),
];

const PORTUGUESE: Words = &[
    ("o", ""),
    ("os", ""),
    ("as", ""),
    ("um", ""),
    ("uma", ""),
    ("de", "of"),
    ("do", ""),
    ("da", ""),
    ("e", "and"),
    ("ou", "or"),
    ("é", "is"),
    ("são", "are"),
    ("com", "with"),
    ("sem", "without"),
    ("para", "for"),
    ("em", "in"),
    ("no", "on"),
    ("na", "on"),
    ("menos de", "less than"),
    ("mais de", "more than"),
    ("pelo menos", "at least"),
    ("no máximo", "at most"),
    ("qual", "which"),
    ("quais", "which"),
    ("quanto", "how much"),
    ("quanto tempo", "how long"),
    ("demora", ""),
    ("leva", ""),
    ("melhor", "best"),
    ("melhores", "best"),
    ("mais rápida", "fastest"),
    ("mais rápido", "fastest"),
    ("mais rapida", "fastest"),
    ("mais rapido", "fastest"),
    ("mais rápida que", "faster than"),
    ("mais rápido que", "faster than"),
    ("que", "than"),
    ("mais barata", "cheapest"),
    ("mais barato", "cheapest"),
    ("placa", "card"),
    ("placas", "cards"),
    ("placa de vídeo", "gpu"),
    ("placas de vídeo", "gpus"),
    ("dispositivos", "devices"),
    ("rede", "network"),
    ("redes", "networks"),
    ("memória", "memory"),
    ("velocidade", "speed"),
    ("vazão", "throughput"),
    ("latência", "latency"),
    ("precisão", "accuracy"),
    ("consumo", "power consumption"),
    ("preço", "price"),
    ("custo", "cost"),
    ("treinamento", "training"),
    ("treinar", "training"),
    ("treino", "training"),
    ("inferência", "inference"),
    ("imagens por segundo", "images per second"),
    ("por watt", "per watt"),
];

const ITALIAN: Words = &[
    ("il", ""),
    ("lo", ""),
    ("la", ""),
    ("gli", ""),
    ("le", ""),
    ("un", ""),
    ("una", ""),
    ("di", "of"),
    ("del", ""),
    ("della", ""),
    ("e", "and"),
    ("o", "or"),
    ("è", "is"),
    ("sono", "are"),
    ("con", "with"),
    ("senza", "without"),
    ("per", "for"),
    ("su", "on"),
    ("meno di", "less than"),
    ("più di", "more than"),
    ("almeno", "at least"),
    ("al massimo", "at most"),
    ("sotto", "under"),
    ("quale", "which"),
    ("quali", "which"),
    ("quanto", "how much"),
    ("quanto tempo", "how long"),
    ("migliore", "best"),
    ("migliori", "best"),
    ("la più veloce", "fastest"),
    ("il più veloce", "fastest"),
    ("più veloce", "faster"),
    ("più veloce di", "faster than"),
    ("più economica", "cheapest"),
    ("scheda", "card"),
    ("schede", "cards"),
    ("scheda grafica", "gpu"),
    ("schede grafiche", "gpus"),
    ("dispositivi", "devices"),
    ("rete", "network"),
    ("reti", "networks"),
    ("memoria", "memory"),
    ("velocità", "speed"),
    ("latenza", "latency"),
    ("accuratezza", "accuracy"),
    ("consumo", "power consumption"),
    ("prezzo", "price"),
    ("costo", "cost"),
    ("addestramento", "training"),
    ("addestrare", "training"),
    ("inferenza", "inference"),
    ("immagini al secondo", "images per second"),
    ("contro", "vs"),
];

const LANGUAGES: &[Words] = &[GERMAN, FRENCH, SPANISH, PORTUGUESE, ITALIAN];

/// Words that are also English, of the field or names of it; they tell no language, but are read as one that others tell.
const ALSO_ENGLISH: &[&str] = &[
    "die", "was", "mit", "an", "in", "im", "per", "no", "as", "e", "o", "y", "a", "en", "do", "un", "son", "es", "con",
    "red", "liste", "la", "le", "de", "du", "des", "contra", "come", "el", "em", "na", "da", "su", "os", "est", "sous",
    "placa", "all", "den", "on", "um", "der", "di", "lo", "hat",
];

/// The English words of a question in another language, and `None` of one in English. What no list has stays as it is.
pub(in crate::ask::question) fn in_english<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    let plain: Vec<String> = words.iter().map(|word| super::plain(word)).collect();
    let language = language_of(&plain)?;
    let mut english: Vec<&'w str> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = (1..=LONGEST.min(words.len() - at)).rev();
        let found =
            longest.into_iter().find_map(|length| Some((length, translated(language, &plain[at..at + length])?)));
        match found {
            Some((length, meant)) => {
                english.extend(meant.split(' ').filter(|word| !word.is_empty()));
                at += length;
            }
            None => {
                english.push(words[at]);
                at += 1;
            }
        }
    }
    Some(english)
}

fn translated(language: Words, words: &[String]) -> Option<&'static str> {
    let matches = |foreign: &str| foreign.split(' ').eq(words.iter().map(String::as_str));
    language.iter().find(|(foreign, _)| matches(foreign)).map(|(_, english)| *english)
}

/// The language that most words are of, where at least one of them is of no other use.
fn language_of(words: &[String]) -> Option<Words> {
    let count = |language: &Words| {
        let is_of_it = |word: &&String| language.iter().any(|(foreign, _)| foreign == word);
        let of_it: Vec<&String> = words.iter().filter(is_of_it).collect();
        let telling = of_it.iter().filter(|word| !ALSO_ENGLISH.contains(&word.as_str())).count();
        (of_it.len(), telling)
    };
    let scored = LANGUAGES.iter().map(|language| (count(language), *language));
    let ((all, telling), language) = scored.rev().max_by_key(|(count, _)| *count)?;
    (all >= LEAST_WORDS && telling > 0).then_some(language)
}

#[cfg(test)]
mod tests {
    use super::in_english;

    #[test]
    fn the_commonest_words_of_other_languages_are_read() {
        let read = |question: &str| {
            let words: Vec<&str> = question.split(' ').collect();
            in_english(&words).map(|words| words.join(" "))
        };
        for (question, expected) in [
            (
                "edge Geräte unter 15 W mit mindestens 8 GB Speicher",
                "edge devices under 15 W with at least 8 GB memory",
            ),
            ("la plus rapide carte pour bert", "fastest card for bert"),
            ("quanto tempo leva para treinar resnet50", "how long for training resnet50"),
            ("mejor tarjeta para entrenar bert", "best card for training bert"),
            ("quale scheda è più veloce di V100", "which card is faster than V100"),
        ] {
            assert_eq!(read(question).as_deref(), Some(expected), "{question}");
        }
        for english in ["frameworks under the MIT license", "la vs le", "how fast do models die", "red wine data de"] {
            assert_eq!(read(english), None, "{english}");
        }
    }
}
